"""Golden scores of translations: sacreBLEU on texts with odd characters, few matches, several references and empty lines.

Run from the repository's root:

    python scripts/golden/make-sacrebleu-golden.py

It writes test/golden/sacrebleu.json: predictions, references and options with the scores. Trenio and its tests never need Python.
"""

import json
import pathlib
import random

from sacrebleu.metrics import BLEU

random.seed(4)
words = ["the", "cat", "Cat", "CAT", "3.5", "2,000", "1-2", "a.b", "x,", ",y", "well-", "-\n", "(of)", "&quot;", "&amp;lt;", "<skipped>", "it's",
         "naïve", "été.", "İ", "ΣΑΣ", "🙂.", ".🙂", "日本。", "\u3000", "\x85", "\x1c", "\ufeff", "\u200b", "\t", "\r\n", "\xa0", "[x]", "{y}", "~", "`", "/", "\\", "", "...", "9.", ".9"]
text = lambda most: random.choice([" ", " ", "", "  "]).join(random.choice(words) for _ in range(random.randint(0, most)))


def similar(one):
    """Another text that shares most of its words."""
    return " ".join(word for word in one.split(" ") if random.random() < 0.8) + random.choice(["", " ", "\n", " cat", "-\n"])


cases = []
for number in range(120):
    count = random.randint(1, 3)
    predictions = [text(random.choice([2, 5, 14])) for _ in range(count)]
    references = [[similar(one) if random.random() < 0.8 else text(8) for _ in range(random.choice([1, 1, 2, 3]))] for one in predictions]
    method = random.choice(["exp", "exp", "exp", "floor", "add-k", "none"])
    options = dict(lowercase=random.random() < 0.3, smoothMethod=method, maxOrder=random.choice([4, 4, 4, 2, 6]), effectiveOrder=random.random() < 0.3)
    if method in ("floor", "add-k") and random.random() < 0.5:
        options["smoothValue"] = 0.25
    most = max(map(len, references))
    columns = [[one[i] if i < len(one) else None for one in references] for i in range(most)]
    metric = BLEU(lowercase=options["lowercase"], smooth_method=method, smooth_value=options.get("smoothValue"), max_ngram_order=options["maxOrder"], effective_order=options["effectiveOrder"])
    result = metric.corpus_score(predictions, columns)
    expected = dict(score=result.score, precisions=result.precisions, brevityPenalty=result.bp, translationLength=result.sys_len, referenceLength=result.ref_len)
    cases.append(dict(predictions=predictions, references=references, options=options, expected=expected))
(pathlib.Path(__file__).parents[2] / "test/golden/sacrebleu.json").write_text(json.dumps(cases) + "\n")
print(len(cases), sum(case["expected"]["score"] > 0 for case in cases))
