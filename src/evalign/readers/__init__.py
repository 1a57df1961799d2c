"""Readers: a file, a string or live objects to a `Document`.

All of it is loaded when it is asked for: the compatible commands read without documents and numpy, and `evalb` without
the checks of the others.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.byte_stream import (
        OpenFile as OpenFile,
        Source as Source,
        is_pipe as is_pipe,
        is_source as is_source,
        open_path as open_path,
        read_bytes as read_bytes,
        read_stored as read_stored,
    )
    from evalign.readers.chunks import (
        Feed as Feed,
        Slice as Slice,
        is_gone_once_read as is_gone_once_read,
        read_slice as read_slice,
        spool as spool,
    )
    from evalign.readers.conllu_columns import (
        LabelColumn as LabelColumn,
        Trees as Trees,
        Written as Written,
        WrittenEdges as WrittenEdges,
        make_trees as make_trees,
        read_edges_of as read_edges_of,
        read_written as read_written,
    )
    from evalign.readers.content import Content as Content, load as load
    from evalign.readers.display_names import (
        name_documents as name_documents,
        name_inputs as name_inputs,
        paths_in_errors as paths_in_errors,
        rename as rename,
        show_path as show_path,
    )
    from evalign.readers.doctor import (
        Finding as Finding,
        Report as Report,
        examine as examine,
        find_hints as find_hints,
    )
    from evalign.readers.empty_nodes import has_empty_nodes as has_empty_nodes
    from evalign.readers.evalb_parameters import (
        Parameters as Parameters,
        check_parameters as check_parameters,
        read_number as read_number,
        read_parameters as read_parameters,
    )
    from evalign.readers.folder_limit import Folder as Folder, FolderLimit as FolderLimit
    from evalign.readers.formats import (
        READERS as READERS,
        find_format as find_format,
        read_source as read_source,
    )
    from evalign.readers.limits import (
        InputLimit as InputLimit,
        check_size as check_size,
        find_limit as find_limit,
    )
    from evalign.readers.line_reader import (
        MAX_LINE_BYTES as MAX_LINE_BYTES,
        open_binary as open_binary,
        read_head as read_head,
        read_lines as read_lines,
        recode_head as recode_head,
    )
    from evalign.readers.live.tokens import Offsets as Offsets, read_tokens as read_tokens
    from evalign.readers.official import canonical as canonical, official_tokens as official_tokens
    from evalign.readers.official_errors import (
        Dialect as Dialect,
        OfficialError as OfficialError,
        refusal as refusal,
        texts_differ as texts_differ,
    )
    from evalign.readers.raw_files import (
        RawInput as RawInput,
        RawText as RawText,
        RawTexts as RawTexts,
        join_texts as join_texts,
        read_raws as read_raws,
    )
    from evalign.readers.remote import check_url as check_url, is_url as is_url
    from evalign.readers.standoff import GUARDED as GUARDED, LacksTextError as LacksTextError
    from evalign.readers.trees import Empty as Empty

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".byte_stream": "OpenFile Source is_pipe is_source open_path read_bytes read_stored",
        ".chunks": "Feed Slice is_gone_once_read read_slice spool",
        ".conllu_columns": "LabelColumn Trees Written WrittenEdges make_trees read_edges_of read_written",
        ".content": "Content load",
        ".display_names": "name_documents name_inputs paths_in_errors rename show_path",
        ".doctor": "Finding Report examine find_hints",
        ".empty_nodes": "has_empty_nodes",
        ".evalb_parameters": "Parameters check_parameters read_number read_parameters",
        ".folder_limit": "Folder FolderLimit",
        ".formats": "READERS find_format read_source",
        ".limits": "InputLimit check_size find_limit",
        ".line_reader": "MAX_LINE_BYTES open_binary read_head read_lines recode_head",
        ".live.tokens": "Offsets read_tokens",
        ".official": "canonical official_tokens",
        ".official_errors": "Dialect OfficialError refusal texts_differ",
        ".raw_files": "RawInput RawText RawTexts join_texts read_raws",
        ".remote": "check_url is_url",
        ".standoff": "GUARDED LacksTextError",
        ".trees": "Empty",
    },
)
