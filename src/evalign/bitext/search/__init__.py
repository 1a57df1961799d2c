"""Search for similar sentences: the interface of search engines, and tantivy, which is the default."""
