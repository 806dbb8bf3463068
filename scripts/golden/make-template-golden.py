"""Golden renderings of chat templates, with transformers: one line for each group of features, and Python's values.

Run from the repository's root: `python scripts/golden/make-template-golden.py`. It writes test/golden/templates.json.
"""

import copy
import json
import pathlib

from transformers.utils.chat_template_utils import _compile_jinja_template as compile_template

variables = {'messages':[{'role':'system','content':'Be brief.'},{'role':'user','content':'  Hi\nthere '},{'role':'assistant','content':None,'args':{'city':'Köln','deep':[1,2.5,True,None]}}],'n':7,'emoji':'a🌍b','d':{'b':1,'a':[2],'items':3},'users':[{'name':'Bob','age':30},{'name':'al','age':25},{'name':'Cy','age':30}]}
templates = r"""
{{ true }} {{ none }} {{ [1, 2.0, 'x', none] }} {{ d }} {{ (1,) }} {{ range(3) }} {{ d.items() }}
{{ 'xxaxx'.strip('x') }}|{{ ' a '.strip() }}|{{ 'a,b'.split(',') }}|{{ 'hELLO'.capitalize() }}|{{ "they're".title() }}
{{ -7 % 3 }} {{ -7 // 2 }} {{ 7 / 2 }} {{ 2 ** 70 }} {{ 2 ** -1 }} {{ 1e16 }} {{ 0.1 + 0.2 }} {{ 1.0 }} {{ -0.0 }} {{ 'ab' * 2 }} {{ [1] * 2 }}
{{ emoji | length }} {{ emoji[1] }} {{ emoji[::-1] }} {{ emoji | reverse }} {{ emoji.find('b') }} {{ '🌍'.center(4, '*') }}
{{ {'a': 1} == {'a': 1.0} }} {{ [1, (2,)] == [1, (2,)] }} {{ 1 == true }} {{ 'a' < 'B' }} {{ (1, 2) < (1, 3) }} {{ 1 in [1.0] }} {{ 'b' not in 'abc' }}
{{ d.items is callable }} {{ d['items'] }} {{ d.b }} {{ d.get('zz', 5) }} {{ d.zz }} {{ messages[0].role }} {{ messages[-1]['args'].deep[1:] }}
{% for m in messages %}{{ loop.cycle('a', 'b') }}{{ loop.index }}{{ loop.last }}{{ loop.nextitem is defined }}{% if loop.index == 2 %}x{% break %}{% endif %};{% else %}none{% endfor %}
{% for m in messages if m.content is string %}{{ loop.length }}{{ m.role }}{% endfor %}{{ m }}
{% for x in [1, [2, [3]]] recursive %}{{ loop.depth }}{{ x if x is number else loop(x) }}{% endfor %}
{% set ns = namespace(a=0) %}{% for i in range(4) %}{% set ns.a = ns.a + i %}{% set b = 1 %}{% endfor %}{{ ns.a }}{{ b is defined }}
{% macro m(a, b=a) %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{% if caller %}{{ caller(1) }}{% endif %}{% endmacro %}{{ m(1) }}|{{ m(1, 2, 3, z=4) }}|{% call(u) m('x') %}<{{ u }}>{% endcall %}
{% set t | upper %}a{{ n }}b{% endset %}{{ t }}{% filter indent(2) %}a\nb{% endfilter %}{% with x = n, y = 2 %}{{ x + y }}{% endwith %}
{% raw %}{{ a }}{% endraw %}{# c #}{%- if n > 5 -%} yes {%- elif n %} no {% else %} nn {% endif +%} end
{{ users | selectattr('age', '==', 30) | map(attribute='name') | join('-') }} {{ users | groupby('age') | map('first') | list }} {{ users | sum('age') }} {{ users | sort(attribute='age,name') | map(attribute='name') | list }}
{{ [3, 1, 2] | sort(reverse=true) }} {{ ['b', 'A'] | sort }} {{ [1, none, 2] | select | list }} {{ [1, 2, 3] | reject('odd') | list }} {{ 'a b' | map('upper') | list }} {{ ['x', 'X'] | unique | list }}
{{ [1, 2, 3, 4, 5] | batch(2, 0) | list }} {{ [1, 2, 3] | slice(2) | list }} {{ d | dictsort }} {{ {'b': 1, 'A': 2} | dictsort(false, 'value') }} {{ [1, 2] | first }} {{ [] | last }} {{ [2, 1] | max }}
{{ 2.5 | round }} {{ 3.14159 | round(2) }} {{ 25 | round(-1) }} {{ 1.1 | round(0, 'ceil') }} {{ '3.7' | int }} {{ 'x' | int(9) }} {{ '0x1f' | int(0, 16) }} {{ '1e3' | float }} {{ 1234567 | filesizeformat }}
{{ '%05.1f|%-4d|%x|%s|%r|%%' | format(3.14159, 7, 255, none, 'q') }} {{ '%(a)s' % {'a': 1} }} {{ '{:>6.2f}|{!r}|{0}' }} {{ '{:,} {:08.3f} {a[0]}'.format(1234567, 2.5, a=[9]) }}
{{ messages[2].args | tojson }} {{ messages[2].args | tojson(indent=2) }} {{ ['é', 1.0] | tojson(ensure_ascii=true, separators=(',', ':')) }} {{ {'b': 1, 'a': 2} | tojson(sort_keys=true) }}
{{ '<a>' | e }} {{ ('<' | e) + '<' }} {{ '<b>x &amp; y</b>' | striptags }} {{ 'a b&c' | urlencode }} {{ 'some long text here' | truncate(10) }} {{ 'one two three' | wordwrap(7) }} {{ 'a b c' | wordcount }} {{ {'a': 1} | xmlattr }}
{{ 'x' is string }}{{ n is divisibleby 7 }}{{ n is not none }}{{ zz is defined }}{{ {} is mapping }}{{ 'upper' is filter }}{{ 1 is sameas 1 }}{{ 'A' is upper }}{{ n is in [7] }}{{ () is sequence }}
{{ 'a' if false }}|{{ zz }}|{{ zz | default('d') }}|{{ '' | default('e', true) }}|{{ zz.x if zz else 'no' }}|{{ not zz }}|{{ 1 < 2 < 3 }}|{{ 'a' 'b' ~ 1 ~ none }}
{{ 'a\\n\\x41\\u00e9\\d' }} {{ "it's" | string }} {{ ["it's", 'say "x"', 'a\\tb'] }} {{ 1_000 + 0x1f }} {{ 'İ'.lower() | length }} {{ 'ß'.upper() }}
{% generation %}{% set q = 1 %}{{ q }}{% endgeneration %}{{ q is defined }}{% block b %}{{ n }}{% endblock %}{% set j = joiner('|') %}{{ j() }}{{ j() }}{{ cycler(1, 2).next() }}
""".strip().split("\n")
lines = [dict(template=one, text=compile_template(one).render(**copy.deepcopy(variables))) for one in templates]
out = pathlib.Path("test/golden/templates.json")
out.write_text(json.dumps(dict(variables=variables, lines=lines), ensure_ascii=False, indent=1) + "\n")
