"""Golden vectors: what Hugging Face's BertTokenizer makes of texts, with the vocabulary of the shipped review corpus.

Run from the repository's root, with transformers installed, after `npm start`, which writes the corpus:

    python scripts/golden/make-tokenizer-golden.py

It writes test/golden/tokenizer.json:
  texts     strings: reviews, hand-picked cases, and random ones from all over Unicode
  uncased, cased   the ids of each
  decoded   the text of the uncased ids, special tokens left out
  blocks    SHA-256 (first 16 hex digits) of how each block of 4096 code points is cleaned, spaced, stripped, lower-cased and split
"""

import csv
import hashlib
import json
import pathlib
import random
import tempfile

import tokenizers
import transformers
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertTokenizer

root = pathlib.Path(__file__).parent.parent.parent
corpus = root / "examples" / "bert-polarity" / "corpus"
random.seed(11)


def tokenizer(lowercase: bool) -> BertTokenizer:
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "vocab.txt").write_bytes((corpus / "vocab.txt").read_bytes())
        return BertTokenizer.from_pretrained(folder, do_lower_case=lowercase)


cases = [
    "", " ", "\t\r\n", "I love it!", "wasn't, isn't: don't", "$5.99 (50% off)", "e-mail me@example.com", "[CLS] a [SEP] b [MASK] [PAD] [UNK]",
    "[cls]", "[CLS", "a[SEP]b", "a" * 100, "a" * 101, "é" * 100, "e\u0301" * 60, "ab" * 80, "naïve café Über Ærøskøbing",
    "ΑΣ ΣΑΣ.", "İstanbul ıI", "ﬁne ß ẞ", "\ufeffstart", "zero\u200bwidth", "soft\u00adhyphen", "file\x1cseparator", "next\x85line",
    "line\u2028separator", "no\u00a0break", "bad\ufffdcharacter", "nul\x00character", "日本語 text 中文", "𠀀𠀁x", "\U0002b740y\U0002b820z", "한국어 리뷰",
    "שלום", "مرحبا", "नमस्ते", "สวัสดี", "👍🏽 great 👩‍👩‍👧", "🇩🇪 flag", "x²½", "～fullwidth！", "“quotes” ‘single’ — dash…", "don’t", "a\u0300\u0301b", "ǅ ǆ",
    "5·5×5÷5", "C++ & C#", "under_score", "tab\tnew\nline", "very" * 30, "  spaces   between  ",
]
reviews = [row[2] for row in csv.reader(open(corpus / "validation.csv", newline=""))][:150]
words = (corpus / "vocab.txt").read_text().splitlines()
ranges = [(0x20, 0x7E)] * 6 + [
    (0x00, 0x1F), (0x7F, 0xFF), (0x100, 0x24F), (0x300, 0x36F), (0x370, 0x4FF), (0x530, 0x6FF), (0x900, 0xE7F), (0x1100, 0x11FF), (0x1E00, 0x1FFF),
    (0x2000, 0x206F), (0x2070, 0x2BFF), (0x3000, 0x34FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xE010), (0xF900, 0xFFFF), (0x1D400, 0x1D7FF),
    (0x1F300, 0x1FAFF), (0x20000, 0x2A6FF), (0x10000, 0x10FFFF),
]


def fuzz() -> str:
    text = ""
    for _ in range(random.randint(1, 10)):
        kind = random.random()
        if kind < 0.3:
            text += random.choice(words).replace("##", "")
        elif kind < 0.4:
            text += random.choice(cases)[:20]
        elif kind < 0.55:
            text += " "
        else:
            low, high = random.choice(ranges)
            points = [random.randint(low, high) for _ in range(random.randint(1, 4))]
            text += "".join(chr(p) for p in points if not 0xD800 <= p <= 0xDFFF)
    return text


texts = cases + reviews + [fuzz() for _ in range(400)]
uncased, cased = tokenizer(True), tokenizer(False)
ids = [uncased(text)["input_ids"] for text in texts]


def normalizer(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False):
    return BertNormalizer(clean_text, handle_chinese_chars, strip_accents, lowercase).normalize_str


steps = {
    "cleanText": normalizer(clean_text=True),
    "splitCjk": normalizer(handle_chinese_chars=True),
    "stripAccents": normalizer(strip_accents=True),
    "lowercase": normalizer(lowercase=True),
    "words": lambda text: " ".join(word for word, _ in BertPreTokenizer().pre_tokenize_str(text)),
}


def block(step, first: int) -> str:
    # Each character stands between two letters, so that it can affect both.
    text = "".join(f"a{chr(p)}" for p in range(first, first + 4096) if not 0xD800 <= p <= 0xDFFF)
    return hashlib.sha256(step(text + "a").encode()).hexdigest()[:16]


golden = {
    "versions": {"transformers": transformers.__version__, "tokenizers": tokenizers.__version__},
    "texts": texts,
    "uncased": ids,
    "cased": [cased(text)["input_ids"] for text in texts],
    "decoded": [uncased.decode(row, skip_special_tokens=True) for row in ids],
    "blocks": {name: [block(step, first) for first in range(0, 0x110000, 4096)] for name, step in steps.items()},
}
lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in golden.items())
(root / "test/golden/tokenizer.json").write_text("{\n" + lines + "\n}\n")
