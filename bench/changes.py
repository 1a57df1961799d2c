"""Changes of single tokens: encodings, scripts, marks and noise.

Each returns one or more texts for a token.
"""

from __future__ import annotations

import html
import random
import string
import unicodedata
import zlib
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import quote

from bench.construction import Text

# Returns a text, or several, for a token.
Change = Callable[[str, random.Random], "str | tuple[str, ...]"]


def plain(rewrite: Callable[[str], str | tuple[str, ...]]) -> Change:
    """Make a change that uses no random numbers."""
    return lambda token, _: rewrite(token)


def by_character(rewrite: Callable[[str], str]) -> Change:
    """Make a change that rewrites one character at a time, always in the same way."""
    cached = lru_cache(maxsize=None)(rewrite)
    return lambda token, _: "".join(map(cached, token))


# Encodings


def mojibake(encoding: str) -> Change:
    """Read UTF-8 as another encoding; unknown bytes are lost."""
    return by_character(lambda c: c.encode().decode(encoding, "ignore"))


def strip_accents(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    bare = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)


def widen(character: str) -> str:
    """Return the full-width form of printable ASCII."""
    return chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character


def _half_width() -> dict[str, str]:
    """Map full-width katakana to half-width ones, with separate voicing marks."""
    table = {}
    for code in range(0xFF66, 0xFFA0):
        table[unicodedata.normalize("NFKC", chr(code))] = chr(code)
        for mark in "\uff9e\uff9f":
            composed = unicodedata.normalize("NFKC", chr(code) + mark)
            if len(composed) == 1:
                table[composed] = chr(code) + mark
    return table


HALF_WIDTH = _half_width()


def narrow(character: str) -> str:
    """Return the half-width form of katakana and of full-width ASCII."""
    return HALF_WIDTH.get(character) or unicodedata.normalize("NFKC", character)


def to_question_mark(character: str) -> str:
    return character if character.isascii() else "?"


def to_replacement(character: str) -> str:
    """Return U+FFFD for every byte beyond ASCII."""
    return character if character.isascii() else "\ufffd" * len(character.encode())


def to_named_entity(character: str) -> str:
    name = html.entities.codepoint2name.get(ord(character))
    return f"&{name};" if name else character


def to_numeric_entity(character: str) -> str:
    return character if character.isascii() and character not in "&<>\"'" else f"&#{ord(character)};"


def to_escape(character: str) -> str:
    return character if character.isascii() else f"\\u{ord(character):04x}"


def to_percent(character: str) -> str:
    return character if character.isalnum() and character.isascii() else quote(character, safe="")


TELEX = {
    "\u0301": "s", "\u0300": "f", "\u0309": "r", "\u0303": "x", "\u0323": "j", "\u0306": "w", "\u031b": "w",
    "\u0308": "e", "\u0327": "c", "\u030a": "a",
}  # fmt: skip


def to_telex(character: str) -> str:
    """Write an accent as a letter behind its base letter, and a circumflex by doubling the letter."""
    base, *marks = unicodedata.normalize("NFD", character)
    if not base.isalpha() or base > "\u024f":
        return character
    return base + "".join(base.lower() if mark == "\u0302" else TELEX.get(mark, "") for mark in marks)


UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "é": "e'", "è": "e`", "ç": "c,",
           "à": "a`", "ê": "e^", "œ": "oe", "ё": "е", "й": "и"}  # fmt: skip


def insert_between(mark: str, every: int) -> Change:
    """Insert `mark` after every `every` characters of a token."""
    return plain(lambda token: mark.join(token[k : k + every] for k in range(0, len(token), every)))


# Scripts


def to_katakana(character: str) -> str:
    return chr(ord(character) + 96) if "\u3041" <= character <= "\u3096" else character


def to_hiragana(character: str) -> str:
    return chr(ord(character) - 96) if "\u30a1" <= character <= "\u30f6" else character


CYRILLIC = dict(zip("абвгдеёзийклмнопрстуфыэ", "abvgdeezijklmnoprstufye", strict=True)) | {
    "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "'", "ь": "'", "ю": "yu", "я": "ya",
}  # fmt: skip


def romanise(character: str) -> str:
    """Write Cyrillic in Latin letters."""
    lower = CYRILLIC.get(character.lower())
    if lower is None:
        return character
    return lower.capitalize() if character.isupper() else lower


TRADITIONAL = (
    "臺灣經濟發們學習漢語國個這來時會說對為過還後開關長門問間現實際產業務動員機構電話車軍運進達選舉黨總統議論"
    "計劃設備該認識讓訊記許調談請證買賣費資負責貨財質轉輪較辦農連遠適邊郵鄉銀錢鐵錄鎮陸陽隊階難雖雙離雲靜響頁"
    "項須領頭題願類風飛養馬驗體魚鳥麼點龍與從樂樓標樣樹橋歐歲歷殺沒決滅滿漸濃營爭爾狀獨獲環當療盡監盤礎禮種稱"
    "積穩節範築級紀約純紙細終組結給絕維網緊線練編縣織續義聯聲職腦臨舊藝萬葉藥處蘇術衛裝裡製複見規視親覺觀訂討"
    "訓訪評試詳誌誤課諾謝譯護變貴貿賽贏趕跡輕輸遊違遷針鍵鏡險隨隱雜霧靈頻顯飯館駐騎鬥黃齊億優價傳傷債僅兒兩內"
    "冊劇劉勝勞勢區協參吳單嚴團園圍圖場壓壞壯夠奪婦孫寫審寧導將專尋層屬島師帶幣幫幾庫廠廣廳張強彈復徵態慶應懷"
    "戰戲戶擇擊擔據擴攝數斷於書東條極"
)
SIMPLIFIED = (
    "台湾经济发们学习汉语国个这来时会说对为过还后开关长门问间现实际产业务动员机构电话车军运进达选举党总统议论"
    "计划设备该认识让讯记许调谈请证买卖费资负责货财质转轮较办农连远适边邮乡银钱铁录镇陆阳队阶难虽双离云静响页"
    "项须领头题愿类风飞养马验体鱼鸟么点龙与从乐楼标样树桥欧岁历杀没决灭满渐浓营争尔状独获环当疗尽监盘础礼种称"
    "积稳节范筑级纪约纯纸细终组结给绝维网紧线练编县织续义联声职脑临旧艺万叶药处苏术卫装里制复见规视亲觉观订讨"
    "训访评试详志误课诺谢译护变贵贸赛赢赶迹轻输游违迁针键镜险随隐杂雾灵频显饭馆驻骑斗黄齐亿优价传伤债仅儿两内"
    "册剧刘胜劳势区协参吴单严团园围图场压坏壮够夺妇孙写审宁导将专寻层属岛师带币帮几库厂广厅张强弹复征态庆应怀"
    "战戏户择击担据扩摄数断于书东条极"
)
# About three hundred frequent Han characters.
TO_SIMPLIFIED = dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))
TO_TRADITIONAL = dict(zip(SIMPLIFIED, TRADITIONAL, strict=True))


def romanise_kana(character: str) -> str:
    """Write kana in Latin letters, each by its Unicode name."""
    words = unicodedata.name(character, "").split()
    is_kana = words[:1] in (["HIRAGANA"], ["KATAKANA"]) and "LETTER" in words
    return words[-1].lower() if is_kana else character


LOOK_ALIKES = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")


def look_alike(rate: float) -> Change:
    """Exchange Latin and Cyrillic letters that look the same, at a rate."""
    both = {**LOOK_ALIKES, **{cyrillic: latin for latin, cyrillic in LOOK_ALIKES.items()}}
    return lambda token, rng: "".join(
        chr(both.get(ord(c), ord(c))) if rng.random() < rate else c for c in token
    )


def to_letters(character: str) -> str:
    """Write Korean syllables as letters that do not join again (compatibility jamo)."""
    if not "가" <= character <= "힣":
        return character
    names = [unicodedata.name(part).split(" ", 2)[2] for part in unicodedata.normalize("NFD", character)]
    return "".join(unicodedata.lookup(f"HANGUL LETTER {name}") for name in names)


def to_arabic_digit(character: str) -> str:
    return chr(0x0660 + int(character)) if character in "0123456789" else character


def capitalise_randomly(token: str, rng: random.Random) -> str:
    return "".join(c.upper() if rng.random() < 0.5 else c.lower() for c in token)


LEET = {"a": "4", "e": "3", "i": "1", "o": "0", "s": "5", "t": "7"}
LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}


def ligate(token: str) -> str:
    """Write ligatures as single characters."""
    for letters, ligature in LIGATURES.items():
        token = token.replace(letters, ligature)
    return token


def drop_vowels(token: str) -> str:
    """Drop the vowels behind the first letter."""
    return token[:1] + "".join(
        c for c in token[1:] if strip_accents(c).lower() not in tuple("aeiouаеиоуыэюя")
    )


def stem(token: str) -> str:
    """Drop the last two letters of long words."""
    return token[:-2] if len(token) > 5 and token.isalpha() else token


# Marks and pieces

TAGS = ("NN", "VB", "DT", "IN", "JJ", "PU", "RB", "NNP")


def glue(before: str = "", after: str = "") -> Change:
    return plain(lambda token: before + token + after)


def tag(mark: str, *, lower: bool = False) -> Change:
    """Append a mark and a tag that depends on the token."""

    def change(token: str, _rng: random.Random) -> str:
        name = TAGS[(len(token) + ord(token[0])) % len(TAGS)]
        return token + mark + (name[0].lower() if lower else name)

    return change


def mark(size: int, *, front: bool = False) -> Change:
    """Append a mark of `size` characters to a token, or put it in front; there are 17, chosen by the token."""

    def change(token: str, _rng: random.Random) -> str:
        name = "".join(
            random.Random(zlib.crc32(token.encode()) % 17).choices(string.ascii_uppercase, k=size - 1)
        )
        return f"{name}_{token}" if front else f"{token}_{name}"

    return change


def analyse(token: str, _rng: random.Random) -> str:
    """Write a token with something like its lemma, and a tag."""
    return f"{token}/{token.lower()[: max(2, len(token) - 2)]}/{TAGS[len(token) % len(TAGS)]}"


def cut_up(token: str, rng: random.Random, longest: int = 4) -> tuple[str, ...]:
    """Cut a token into pieces of one to `longest` characters."""
    pieces, start = [], 0
    while start < len(token):
        size = rng.randint(1, longest)
        pieces.append(token[start : start + size])
        start += size
    return tuple(pieces)


def into_pieces(first: str = "", inner: str = "", joint: str = "") -> Change:
    """Cut a token into subword pieces.

    `first` is put before the first piece, `inner` before the others, and `joint` after all but the last.
    """

    def change(token: str, rng: random.Random) -> tuple[str, ...]:
        pieces = cut_up(token, rng)
        last = len(pieces) - 1
        return tuple((inner if k else first) + p + (joint if k < last else "") for k, p in enumerate(pieces))

    return change


# Noise


def replace_letters(text: Text, rate: float) -> Change:
    """Replace letters and digits by others of the same text."""
    letters = text.letters or "x"
    return lambda token, rng: "".join(
        rng.choice(letters) if rng.random() < rate and c.isalnum() else c for c in token
    )


def replace_by_ascii(_text: Text, rate: float) -> Change:
    """Replace letters by letters from a to z, whatever the script."""
    return lambda token, rng: "".join(
        rng.choice("abcdefghijklmnopqrstuvwxyz") if rng.random() < rate and c.isalpha() else c for c in token
    )


def drop_characters(_text: Text, rate: float) -> Change:
    return lambda token, rng: "".join(c for c in token if rng.random() >= rate)


def insert_characters(text: Text, rate: float) -> Change:
    letters = text.letters or "x"
    return lambda token, rng: "".join(c + rng.choice(letters) if rng.random() < rate else c for c in token)


def transpose(_text: Text, rate: float) -> Change:
    """Exchange a character with the next one of its token."""

    def change(token: str, rng: random.Random) -> str:
        characters = list(token)
        for k in range(len(characters) - 1):
            if rng.random() < rate:
                characters[k], characters[k + 1] = characters[k + 1], characters[k]
        return "".join(characters)

    return change


def double_letters(rate: float) -> Change:
    return lambda token, rng: "".join(c * 2 if rng.random() < rate else c for c in token)


CONFUSIONS = {
    "m": "rn", "l": "1", "I": "l", "o": "0", "O": "0", "e": "c", "c": "e", "h": "b", "u": "v", "n": "ri", "t": "f",
    "i": "j", "S": "5", "B": "8", "g": "9", "a": "o", "ü": "ii", "é": "6", "日": "曰", "己": "已", "未": "末", "土": "士",
    "人": "入", "大": "太", "ー": "一", "ロ": "口", "カ": "力", "エ": "工", "ニ": "二", "ソ": "ン", "シ": "ツ", "は": "ほ",
    "и": "н", "н": "п", "ш": "щ", "о": "0", "е": "с", "з": "3", "б": "6", "이": "아", "를": "률", "은": "온", "다": "디",
    ",": ".", ".": ",", "。": "，", "、": "。", "“": '"', "-": "—",
}  # fmt: skip


def misread(text: Text, rate: float) -> Change:
    """Imitate optical character recognition.

    Characters become look-alikes or other letters, some are lost or added, and some tokens are broken.
    """
    letters = text.letters or "x"

    def change(token: str, rng: random.Random) -> tuple[str, ...]:
        read = []
        for c in token:
            draw = rng.random() / rate
            if draw >= 1:
                read.append(c)
            elif draw < 0.6:
                read.append(CONFUSIONS.get(c) or rng.choice(letters))
            elif draw < 0.7:
                read.append(c + rng.choice(letters))
            elif draw < 0.75:
                read.append(c + " ")
            elif draw < 0.8:
                read.append(rng.choice(".,'~*^"))
        return tuple("".join(read).split(" "))

    return change


def misread_all(rate: float) -> Change:
    """Replace characters by look-alikes, where there is one, at a rate."""
    return lambda token, rng: "".join(CONFUSIONS.get(c, c) if rng.random() < rate else c for c in token)


# Punctuation, numbers


def is_mark(token: str) -> bool:
    """Return whether a token has neither letters nor digits."""
    return not any(map(str.isalnum, token))


def map_marks(table: dict[str, str]) -> Change:
    return plain(lambda token: table.get(token, token))


def change_marks(replacement: str) -> Change:
    return plain(lambda token: replacement if is_mark(token) else token)


ANGLES = {"“": "<<", "”": ">>", '"': "<<", "「": "<<", "」": ">>", "«": "<<", "»": ">>", "„": "<<", "‘": "<", "’": ">", "《": "<<",
          "》": ">>", "'": ">"}  # fmt: skip
PENN = {"“": "``", "”": "''", '"': "''", "(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "（": "-LRB-", "）": "-RRB-",
        "…": "...", "–": "--", "—": "--", "「": "``", "」": "''", "«": "``", "»": "''", "„": "``"}  # fmt: skip
ASCII_MARKS = {"。": ".", "，": ",", "、": ",", "「": '"', "」": '"', "《": '"', "》": '"', "；": ";", "：": ":", "！": "!", "？": "?",
               "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "’": "'", "«": '"', "»": '"', "„": '"'}  # fmt: skip
WIDE_MARKS = {
    ".": "。",
    ",": "，",
    "!": "！",
    "?": "？",
    ";": "；",
    ":": "：",
    "(": "（",
    ")": "）",
    '"': "”",
}

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def alter_digits(token: str, rng: random.Random) -> str:
    return "".join(rng.choice("0123456789") if c.isdecimal() else c for c in token)


def spell_out(token: str, _rng: random.Random) -> str:
    """Write digits as words."""
    if not any(map(str.isdecimal, token)):
        return token
    return "-".join(DIGITS[int(c)] if c.isdecimal() else c for c in token)


def mask_numbers(token: str, _rng: random.Random) -> str:
    return "<num>" if any(map(str.isdecimal, token)) else token


def abbreviate(token: str, _rng: random.Random) -> str:
    """Shorten a long word to its first three letters and a full stop."""
    return token[:3] + "." if len(token) > 6 and token.isalpha() else token
