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
    from evalign.readers.collapse import has_empty_nodes as has_empty_nodes
    from evalign.readers.content import Content as Content, load as load
    from evalign.readers.display_names import (
        name_documents as name_documents,
        name_inputs as name_inputs,
        paths_in_errors as paths_in_errors,
        rename as rename,
        show_path as show_path,
    )
    from evalign.readers.doctor import examine as examine
    from evalign.readers.feed import Feed as Feed
    from evalign.readers.findings import Finding as Finding, Report as Report
    from evalign.readers.formats import (
        READERS as READERS,
        find_format as find_format,
        read_source as read_source,
    )
    from evalign.readers.hints import find_hints as find_hints
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
    from evalign.readers.live.offsets import Offsets as Offsets
    from evalign.readers.live.tokens import read_tokens as read_tokens
    from evalign.readers.official import canonical as canonical, official_tokens as official_tokens
    from evalign.readers.parameters import (
        Parameters as Parameters,
        check_parameters as check_parameters,
        read_number as read_number,
        read_parameters as read_parameters,
    )
    from evalign.readers.raw import (
        RawInput as RawInput,
        RawText as RawText,
        RawTexts as RawTexts,
        join_texts as join_texts,
        read_raws as read_raws,
    )
    from evalign.readers.refusals import (
        Dialect as Dialect,
        OfficialError as OfficialError,
        refusal as refusal,
        texts_differ as texts_differ,
    )
    from evalign.readers.remote import check_url as check_url, is_url as is_url
    from evalign.readers.slices import Slice as Slice, read_slice as read_slice
    from evalign.readers.spooled import is_gone_once_read as is_gone_once_read, spool as spool
    from evalign.readers.standoff import GUARDED as GUARDED, LacksTextError as LacksTextError
    from evalign.readers.stay_below import Folder as Folder, FolderLimit as FolderLimit
    from evalign.readers.trees import Empty as Empty
    from evalign.readers.written import (
        LabelColumn as LabelColumn,
        Trees as Trees,
        Written as Written,
        WrittenEdges as WrittenEdges,
        make_trees as make_trees,
        read_edges_of as read_edges_of,
        read_written as read_written,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".byte_stream": "OpenFile Source is_pipe is_source open_path read_bytes read_stored",
        ".collapse": "has_empty_nodes",
        ".content": "Content load",
        ".display_names": "name_documents name_inputs paths_in_errors rename show_path",
        ".doctor": "examine",
        ".feed": "Feed",
        ".findings": "Finding Report",
        ".formats": "READERS find_format read_source",
        ".hints": "find_hints",
        ".limits": "InputLimit check_size find_limit",
        ".line_reader": "MAX_LINE_BYTES open_binary read_head read_lines recode_head",
        ".live.offsets": "Offsets",
        ".live.tokens": "read_tokens",
        ".official": "canonical official_tokens",
        ".parameters": "Parameters check_parameters read_number read_parameters",
        ".raw": "RawInput RawText RawTexts join_texts read_raws",
        ".refusals": "Dialect OfficialError refusal texts_differ",
        ".remote": "check_url is_url",
        ".slices": "Slice read_slice",
        ".spooled": "is_gone_once_read spool",
        ".standoff": "GUARDED LacksTextError",
        ".stay_below": "Folder FolderLimit",
        ".trees": "Empty",
        ".written": "LabelColumn Trees Written WrittenEdges make_trees read_edges_of read_written",
    },
)
