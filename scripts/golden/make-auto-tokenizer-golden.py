"""Golden tokens: small tokenizers of each kind with Hugging Face's Python library, what it makes of texts of many scripts, and chat templates.

The oracle for `AutoTokenizer`. The tokenizers are trained here, on the documentation of this repository and on random words; the chat
templates are this script's own, in the forms of well-known models. Run from the repository's root, with transformers installed:

    python scripts/golden/make-auto-tokenizer-golden.py

It writes test/golden/tokenizers.tar (see test/golden/README.md). Trenio and its tests never need Python.
"""

import json
import pathlib
import random
import shutil

import tokenizers
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer

from family import open_family

root = open_family("tokenizers")
repository = pathlib.Path(__file__).parents[2]
shutil.rmtree(root)
root.mkdir()
random.seed(20261123)

corpus = [line for name in sorted(repository.glob("docs/*.md")) for line in name.read_text().splitlines()][:4000]
scripts = [(0x400, 0x44F), (0x391, 0x3C9), (0x5D0, 0x5EA), (0x627, 0x64A), (0x905, 0x939), (0xE01, 0xE2E), (0x3041, 0x3096), (0x4E00, 0x4E80), (0xAC00, 0xAC80)]
for first, last in scripts:
    for _ in range(40):
        corpus.append(" ".join("".join(chr(random.randint(first, last)) for _ in range(random.randint(1, 6))) for _ in range(6)))

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BYTES = [f"<0x{i:02X}>" for i in range(256)]


def special(*texts, **fields):
    return [AddedToken(text, special=True, normalized=False, **fields) for text in texts]


def gpt2():
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=500, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=special("<|endoftext|>")))
    return t, dict(bos_token="<|endoftext|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>")


def roberta():
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    t.decoder = decoders.ByteLevel()
    names = special("<s>", "<pad>", "</s>", "<unk>") + special("<mask>", lstrip=True)
    t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=450, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=names))
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return t, dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>", cls_token="<s>", sep_token="</s>", mask_token="<mask>")


def split_bpe(pattern, normalizer, names, ignore_merges):
    t = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    t.normalizer = normalizer
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    t.add_special_tokens(special(*names))
    return t


def llama3():
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|pad|>"]
    t = split_bpe(LLAMA3, None, names, True)
    bos = names[0]
    t.post_processor = processors.Sequence(
        [
            processors.ByteLevel(trim_offsets=False),
            processors.TemplateProcessing(f"{bos} $A", f"{bos} $A {bos}:1 $B:1", [(bos, t.token_to_id(bos))]),
        ]
    )
    return t, dict(bos_token=bos, eos_token="<|eot_id|>", pad_token="<|pad|>", padding_side="left")


def qwen():
    t = split_bpe(QWEN, normalizers.NFC(), ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], False)
    t.add_tokens([AddedToken("<think>", normalized=False), AddedToken("</think>", normalized=False)])
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    return t, dict(eos_token="<|im_end|>", pad_token="<|endoftext|>")


def llama2():
    trained = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    trained.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    trained.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    trained.train_from_iterator(
        corpus[:1500], trainers.BpeTrainer(vocab_size=700, limit_alphabet=200, special_tokens=special("<unk>", "<s>", "</s>") + BYTES)
    )
    json_text = json.loads(trained.to_str())
    # Bytes are tokens of the vocabulary, not tokens that are looked for in texts.
    json_text["added_tokens"] = json_text["added_tokens"][:3]
    t = Tokenizer.from_str(json.dumps(json_text))
    t.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A <s>:1 $B:1", [("<s>", 1)])
    return t, dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="</s>")


def unigram():
    trained = Tokenizer(models.Unigram())
    trained.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    trained.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trained.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="always")])
    trained.train_from_iterator(
        corpus[:1500], trainers.UnigramTrainer(vocab_size=500, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>")
    )
    json_text = json.loads(trained.to_str())
    model = json_text["model"]
    model["vocab"] += [[byte, -20.0] for byte in BYTES]
    model["byte_fallback"] = True
    json_text["added_tokens"] = [token for token in json_text["added_tokens"] if token["id"] < 3]
    t = Tokenizer.from_str(json.dumps(json_text))
    t.post_processor = processors.TemplateProcessing("$A </s>", "$A </s> $B:1 </s>:1", [("</s>", 1)])
    return t, dict(eos_token="</s>", unk_token="<unk>", pad_token="<pad>")


def bert():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(corpus[:1500], trainers.WordPieceTrainer(vocab_size=600, special_tokens=special(*names)))
    t.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [("[CLS]", 2), ("[SEP]", 3)])
    return t, dict(unk_token="[UNK]", sep_token="[SEP]", pad_token="[PAD]", cls_token="[CLS]", mask_token="[MASK]")


templates = {
    "llama3": """{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}
    {%- set system = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system = '' %}
{%- endif %}
{%- if system or tools is not none %}
{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' + system }}
{%- if tools is not none %}{{- '\\nTools: ' }}{% for tool in tools %}{{- tool | tojson(indent=4) }}{% endfor %}{%- endif %}
{{- '<|eot_id|>' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
""",
    "qwen": """{%- if messages[0].role != 'system' %}
    {{- '<|im_start|>system\\nBe of help.<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(last=messages|length - 1, seen=false) %}
{%- for message in messages[::-1] %}
    {%- if not ns.seen and message.role == 'user' %}{%- set ns.seen = true %}{%- set ns.last = messages|length - 1 - loop.index0 %}{%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}{%- set content = message.content %}{%- else %}{%- set content = '' %}{%- endif %}
    {%- if '</think>' in content and loop.index0 < ns.last %}{%- set content = content.split('</think>')[-1].lstrip('\\n') %}{%- endif %}
    {{- '<|im_start|>' ~ message.role ~ '\\n' ~ content ~ '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
""",
    "mistral": """{{ bos_token }}{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Roles must alternate user/assistant/user/…') }}
{% endif %}
{% if message['role'] == 'user' %}
{{ '[INST] ' + message['content'] + ' [/INST]' }}
{%- elif message['role'] == 'assistant' %}
{{ ' ' + message['content'] + eos_token }}
{%- endif %}
{% endfor %}""",
    "gemma": """{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{%- for message in messages -%}
{%- set role = 'model' if message['role'] == 'assistant' else message['role'] -%}
{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}""",
    "chatml": "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "phi": """{% for message in messages %}{% if message['role'] in ['system', 'user', 'assistant'] and message['content'] %}
{{ '<|' ~ message['role'] ~ '|>\\n' ~ message['content']|replace('\\r', '') ~ '<|end|>\\n' }}
{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% else %}{{ eos_token }}{% endif %}""",
}
conversations = [
    [dict(role="user", content="Hello, wörld!")],
    [dict(role="system", content="  Be brief. "), dict(role="user", content="Why?\n\n"), dict(role="assistant", content="<think>\nhm\n</think>\n\nBecause."), dict(role="user", content="日本 🙂 'quoted' \"double\" <b>&amp;")],
    [dict(role="user", content="1"), dict(role="user", content="2")],
]
tools = [dict(type="function", function=dict(name="weather", description="It's “the” weather", parameters=dict(type="object", properties=dict(city=dict(type="string")))))]

texts = [
    "", " ", "  ", "\n", " \n\n  x", "Hello, world!", "hello  world   ", "I'm can't WE'LL 'Sſ", "1234567 89 ½ ⅷ ٣٤",
    "The quick brown fox; jumps over: the (lazy) dog... \"yes\"?", "a\tb\r\nc\x00d\u0085e\u00a0f\u2003g\ufeffh\u200bi", "naïve café ΑΣΟΣ İstanbul ﬁ ﷺ ㌀",
    "日本語のテキスト。中国语文字，한국어 텍스트", "Привет, мир! Γειά σου Κόσμε שלום עולם مرحبا بالعالم नमस्ते दुनिया สวัสดีชาวโลก", "👩‍👩‍👧‍👦🏳️‍🌈 🙂🙃 \U0001f1e9\U0001f1ea",
    "e\u0301 é \u1112\u1161\u11ab 한", "<s> </s> <unk> <pad> <mask> [CLS] [SEP] [MASK] x[UNK]y", "<|begin_of_text|><|eot_id|> a <|im_start|>user\nhi<|im_end|><think>x</think>", "a <mask> b  <mask>c<|endoftext|> ",
    "𝓤𝓷𝓲𝓬𝓸𝓭𝓮 𠀀𠀁 𐍈 \U00011f04 \u0870 \U0001e6c0", "▁ ▁▁x ▁y", "<0x41> <0xFF>", "x" * 120, "ab" * 60 + "é" * 30,
]
for _ in range(60):
    pieces = []
    for _ in range(random.randint(1, 8)):
        first, last = random.choice(scripts + [(0x20, 0x7E)] * 4 + [(0xA0, 0x24F), (0x300, 0x36F), (0x2000, 0x206F), (0x1F300, 0x1F64F), (0x30, 0x39)])
        pieces.append("".join(chr(random.randint(first, last)) for _ in range(random.randint(1, 7))))
    texts.append(random.choice([" ", "", "\n", "  "]).join(pieces))


def make(name, kind):
    folder = root / name
    folder.mkdir(parents=True)
    trained, settings = kind()
    trained.save(str(folder / "tokenizer.json"), pretty=False)
    config = dict(settings, tokenizer_class="PreTrainedTokenizerFast", model_max_length=64)
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")
    if name in templates:
        (folder / "chat_template.jinja").write_text(templates[name])
    own = AutoTokenizer.from_pretrained(folder)
    pairs = [(texts[5], texts[9]), (texts[9], texts[12]), ("", "x")]
    encoded = [own(text)["input_ids"] for text in texts]
    ids = [[random.randrange(len(own)) for _ in range(random.randint(1, 9))] for _ in range(40)]
    made = dict(
        size=len(own),
        ids=encoded,
        plain=[own(text, add_special_tokens=False)["input_ids"] for text in texts[:20]],
        decoded=[own.decode(one) for one in encoded],
        skipped=[own.decode(one, skip_special_tokens=True) for one in encoded],
        random=[dict(ids=one, text=own.decode(one)) for one in ids],
        pairs=[dict(texts=pair, ids=own(*pair)["input_ids"], cut=own(*pair, truncation=True, max_length=12)["input_ids"]) for pair in pairs],
        cut=[own(text, truncation=True, max_length=7)["input_ids"] for text in texts[:16]],
    )
    if own.pad_token is not None:
        batch = own(texts[3:7], padding=True, pad_to_multiple_of=8)
        made["batch"] = dict(ids=batch["input_ids"], mask=batch["attention_mask"])
    for path in folder.iterdir():
        path.chmod(0o644)
    print(name, len(own))
    return made


def chats():
    own = AutoTokenizer.from_pretrained(root / "llama2")
    made = []
    for name, template in templates.items():
        for i, messages in enumerate(conversations):
            for prompt in (False, True):
                for given in (None, tools) if name == "llama3" else (None,):
                    options = dict(chat_template=template, add_generation_prompt=prompt, tools=given, tokenize=False)
                    try:
                        result = dict(text=own.apply_chat_template(messages, **options))
                    except Exception as error:
                        result = dict(error=str(error))
                    made.append(dict(template=name, messages=i, prompt=prompt, tools=given is not None, **result))
    return dict(templates=templates, conversations=conversations, tools=tools, cases=made)


kinds = dict(gpt2=gpt2, roberta=roberta, llama3=llama3, qwen=qwen, llama2=llama2, unigram=unigram, bert=bert)
cases = {name: make(name, kind) for name, kind in kinds.items()}
result = dict(transformers=transformers.__version__, tokenizers=tokenizers.__version__, texts=texts, cases=cases, chats=chats())
(root / "cases.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")
