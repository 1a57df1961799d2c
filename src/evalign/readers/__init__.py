"""Readers: turn files, URLs, text and objects of NLP packages into `Document`s.

Names are loaded on first use, because the compatible commands read without documents and numpy, and `evalb`
without the checks of the others.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.byte_stream import (
        ByteStream as ByteStream,
        OpenFile as OpenFile,
        Source as Source,
        is_pipe as is_pipe,
        is_source as is_source,
        open_path as open_path,
        open_stream as open_stream,
        read_bytes as read_bytes,
        read_stored as read_stored,
        stored_size as stored_size,
    )
    from evalign.readers.chunks import (
        Chunk as Chunk,
        ChunkReader as ChunkReader,
        can_reread as can_reread,
        load_chunk as load_chunk,
        read_chunk as read_chunk,
        spool_to_file as spool_to_file,
    )
    from evalign.readers.conllu import read_conllu as read_conllu, split_spaces as split_spaces
    from evalign.readers.conllu_columns import (
        ConlluFields as ConlluFields,
        DepsEdges as DepsEdges,
        HeadTrees as HeadTrees,
        LabelColumn as LabelColumn,
        make_trees as make_trees,
        read_deps as read_deps,
        read_fields as read_fields,
    )
    from evalign.readers.content import Content as Content, check_text as check_text, load as load
    from evalign.readers.display_names import (
        name_documents as name_documents,
        name_inputs as name_inputs,
        paths_in_errors as paths_in_errors,
        rename as rename,
        show_path as show_path,
    )
    from evalign.readers.doctor import (
        Examination as Examination,
        Finding as Finding,
        examine as examine,
        find_hints as find_hints,
    )
    from evalign.readers.empty_nodes import (
        MAX_NODES_ON_PATH as MAX_NODES_ON_PATH,
        MAX_PATHS_TO_NODE as MAX_PATHS_TO_NODE,
        collapse_empty_nodes as collapse_empty_nodes,
        has_empty_nodes as has_empty_nodes,
    )
    from evalign.readers.evalb_parameters import (
        Parameters as Parameters,
        check_parameters as check_parameters,
        read_number as read_number,
        read_parameters as read_parameters,
    )
    from evalign.readers.folder_limit import Folder as Folder, FolderLimit as FolderLimit
    from evalign.readers.foreign_files import check_is_text as check_is_text
    from evalign.readers.formats import (
        READERS as READERS,
        find_format as find_format,
        read_content as read_content,
        read_source as read_source,
        recognize as recognize,
    )
    from evalign.readers.limits import (
        InputLimit as InputLimit,
        check_size as check_size,
        find_limit as find_limit,
        requested_limit as requested_limit,
        show_size as show_size,
    )
    from evalign.readers.line_reader import (
        MAX_LINE_BYTES as MAX_LINE_BYTES,
        open_binary as open_binary,
        read_head as read_head,
        read_lines as read_lines,
        recode_head as recode_head,
    )
    from evalign.readers.live.tokens import Offsets as Offsets, read_tokens as read_tokens
    from evalign.readers.official import (
        canonical as canonical,
        check_official as check_official,
        official_tokens as official_tokens,
    )
    from evalign.readers.official_errors import (
        Dialect as Dialect,
        OfficialError as OfficialError,
        OfficialTokens as OfficialTokens,
        refusal as refusal,
        texts_differ as texts_differ,
    )
    from evalign.readers.plain import UNTOKENIZED as UNTOKENIZED, read_plain as read_plain
    from evalign.readers.raw_files import (
        RawInput as RawInput,
        RawText as RawText,
        RawTexts as RawTexts,
        join_texts as join_texts,
        read_raw as read_raw,
        read_raws as read_raws,
    )
    from evalign.readers.remote import (
        RemoteFile as RemoteFile,
        check_url as check_url,
        is_url as is_url,
        mask_url as mask_url,
    )
    from evalign.readers.sentence_ends import open_finder as open_finder
    from evalign.readers.standoff import (
        GUARDED as GUARDED,
        MissingTextError as MissingTextError,
        read_standoff as read_standoff,
        read_table as read_table,
    )
    from evalign.readers.trees import (
        Empty as Empty,
        find_numbering as find_numbering,
        read_trees as read_trees,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".byte_stream": (
            "ByteStream OpenFile Source is_pipe is_source open_path open_stream read_bytes "
            "read_stored stored_size"
        ),
        ".chunks": "Chunk ChunkReader can_reread load_chunk read_chunk spool_to_file",
        ".conllu": "read_conllu split_spaces",
        ".conllu_columns": "ConlluFields DepsEdges HeadTrees LabelColumn make_trees read_deps read_fields",
        ".content": "Content check_text load",
        ".display_names": "name_documents name_inputs paths_in_errors rename show_path",
        ".doctor": "Examination Finding examine find_hints",
        ".empty_nodes": "MAX_NODES_ON_PATH MAX_PATHS_TO_NODE collapse_empty_nodes has_empty_nodes",
        ".evalb_parameters": "Parameters check_parameters read_number read_parameters",
        ".folder_limit": "Folder FolderLimit",
        ".foreign_files": "check_is_text",
        ".formats": "READERS find_format read_content read_source recognize",
        ".limits": "InputLimit check_size find_limit requested_limit show_size",
        ".line_reader": "MAX_LINE_BYTES open_binary read_head read_lines recode_head",
        ".live.tokens": "Offsets read_tokens",
        ".official": "canonical check_official official_tokens",
        ".official_errors": "Dialect OfficialError OfficialTokens refusal texts_differ",
        ".plain": "UNTOKENIZED read_plain",
        ".raw_files": "RawInput RawText RawTexts join_texts read_raw read_raws",
        ".remote": "RemoteFile check_url is_url mask_url",
        ".sentence_ends": "open_finder",
        ".standoff": "GUARDED MissingTextError read_standoff read_table",
        ".trees": "Empty find_numbering read_trees",
    },
)
