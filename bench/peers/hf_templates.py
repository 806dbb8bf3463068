# Random chat templates, or those of files, with the text of transformers, for bench/chat-templates.ts. Not part of the product.
#
#   python hf_templates.py SEED COUNT [FILE …]     prints the name of a file with JSON
import copy, json, random, re, resource, signal, sys, tempfile, warnings

warnings.simplefilter("ignore")
from transformers.utils.chat_template_utils import _compile_jinja_template
resource.setrlimit(resource.RLIMIT_AS,(3<<30,3<<30))
def too_long(*_): raise MemoryError()
signal.signal(signal.SIGALRM, too_long)
seed=int(sys.argv[1]); N=int(sys.argv[2]); R=random.Random(seed)
VARS={'messages':[{'role':'system','content':'Be brief.'},{'role':'user','content':"  Hi\nthere "},{'role':'assistant','content':None,'tool_calls':[{'type':'function','id':'a1b2','function':{'name':'wx','arguments':{'city':'Köln','n':1,'deep':[1,2.5,True,None,'x'],'e':{}}}}]},{'role':'tool','name':'wx','content':'{"t": 3}'},{'role':'user','content':[{'type':'text','text':'A'},{'type':'text','text':'B'}]}],
 'tools':[{'type':'function','function':{'name':'wx','description':"Weather <b> & 'q' \"d\"",'parameters':{'type':'object','properties':{'city':{'type':'string','description':'Städte 🌍'},'n':{'type':'number','default':1.5}},'required':['city']}}}],
 'add_generation_prompt':True,'bos_token':'<s>','eos_token':'</s>','emoji':'a🌍b','n':7,'f':2.5,'neg':-7,'big':12345678901234567890123,'words':['b','A','c','a'],'nums':[3,1,2,2],'mixed':[1,'a',None,2.5,[1]],'d':{'b':1,'a':2,'C':{'x':[1,2]}},'text':"Hello World, it's a test\nsecond line\n\n  indented",'html':'<a href="x">T & C</a>','empty':'','nul':None,'yes':True,'users':[{'name':'Bob','age':30,'tags':['x']},{'name':'al','age':25,'tags':[]},{'name':'Cy','age':30}]}
STRS=['','a','abc','Hello World','  pad ','aXbX','a,b,,c','äöü','🌍x','ß','İx',"it's",'say "hi"','a\\nb','12','-3.5','x\\ty','ABC','ﬁ','1_000','{}','%s','%d items','{0} {1}','0x1F','é\\u00e9','\\x41','Ǆ','ΑΣ','a b\\r\\nc','tést-case word','nan']
def s():
    x=R.choice(STRS); q="'" if "'" not in x or R.random()<.2 else '"'
    if q in x: x=x.replace(q,'\\'+q)
    return q+x+q
def num(): return R.choice(['0','1','2','3','7','-1','10','100','1.0','2.5','-0.5','0.1','1e3','1.5e-7','123456789','1e16','0x1f','1_000','3.14159','-7','1e22','0.0001','5','4'])
names=list(VARS)
def atom(d):
    r=R.random()
    if r<.27: return s()
    if r<.45: return num()
    if r<.5: return R.choice(['true','false','none','True','None','undef','False'])
    if r<.8: return R.choice(names)
    if d<=0: return R.choice(names)
    if r<.88: return '['+', '.join(expr(d-1) for _ in range(R.randint(0,3)))+']'
    if r<.93: return '{'+', '.join(f'{R.choice([s(),num(),"none","true"])}: {expr(d-1)}' for _ in range(R.randint(0,3)))+'}'
    if r<.97: return '('+', '.join(expr(d-1) for _ in range(R.randint(2,3)))+')'
    return R.choice(['range(3)','range(1, 6, 2)','range(5, 0, -2)','namespace(a=1)','dict(a=1, b=2)','loop','namespace'])
STRM=['strip()','strip("x")','lstrip()','rstrip("\\n ")','split()','split(",")','split(",", 1)','rsplit(" ", 1)','upper()','lower()','title()','capitalize()','replace("a", "b")','replace("", "-")','replace("b", "cc", 1)','startswith("a")','endswith(("c", "d"))','find("b")','rfind("l")','index("a")','count("a")','join(words)','format(1, "b")','format("x")','splitlines()','splitlines(true)','isdigit()','isalpha()','isalnum()','isspace()','isupper()','islower()','istitle()','isnumeric()','zfill(5)','center(9)','center(10, "*")','ljust(6)','rjust(6, "0")','partition("b")','rpartition(" ")','removeprefix("a")','removesuffix("c")','swapcase()','casefold()','expandtabs(4)','encode()','isidentifier()','isascii()','isprintable()','isdecimal()']
LM=['index(2)','count(2)','copy()','append(1)','pop()','sort()']
DM=['get("a")','get("z", 5)','keys()','values()','items()','items() | list','get("C").x','update({})','keys() | list','copy()','pop("a")']
FIL=['upper','lower','title','capitalize','trim','trim("x ")','length','count','first','last','list','string','int','int(5)','int(0, 16)','float','float(1.5)','round','round(1)','round(2, "floor")','round(method="ceil")','round(-1)','abs','join','join(", ")','join("-", attribute="name")','sort','sort(reverse=true)','sort(attribute="age")','sort(case_sensitive=true)','sort(attribute="age,name")','unique | list','unique(true) | list','reverse','reverse | list','max','min','max(attribute="age")','min(case_sensitive=true)','sum','sum(start=10)','sum("age")','default("dd")','default("dd", true)','d(3)','replace("a", "bb")','replace("l", "L", 1)','escape','e','safe','forceescape','striptags','wordcount','truncate(8)','truncate(7, true)','truncate(9, false, "..", 0)','indent','indent(2, true)','indent("> ", blank=true)','center(12)','tojson','tojson(indent=2)','tojson(sort_keys=true)','tojson(ensure_ascii=true)','tojson(separators=(",", ":"))','map("upper") | list','map(attribute="name") | list','map(attribute="zz", default="q") | list','map("length") | list','map("int", 5) | list','map("default", "x") | list','select | list','select("string") | list','select("odd") | list','select("gt", 1) | list','reject("none") | list','reject | list','selectattr("age") | list','selectattr("role", "==", "user") | list','selectattr("age", "gt", 26) | map(attribute="name") | join(",")','rejectattr("age", "eq", 30) | list','groupby("age") | list','groupby("role")','groupby("name", case_sensitive=true) | map("first") | list','batch(2) | list','batch(2, "-") | list','slice(2) | list','slice(3, "x") | list','dictsort','dictsort(true)','dictsort(false, "value")','dictsort(reverse=true)','items | list','format(1)','format("a", 2)','urlencode','filesizeformat','filesizeformat(true)','wordwrap(8)','wordwrap(5, false)','xmlattr','attr("name")','attr("real")','pprint','map("trim") | list','map(attribute="age") | sum','selectattr("name", "defined") | list | length','random | length','nofilter','map("nofilter") | list']
TST=['defined','undefined','none','string','number','integer','float','boolean','mapping','sequence','iterable','callable','odd','even','divisibleby(2)','divisibleby 3','true','false','upper','lower','in(words)','in [1,2]','eq(1)','eq "a"','ne(2)','gt(1)','lt 5','ge(2)','le(3)','sameas(true)','sameas none','equalto(7)','escaped','filter','test','greaterthan(1)','lessthan(9)','not none','not defined','not string']
def expr(d):
    if d<=0: return atom(0)
    r=R.random()
    if r<.12: return atom(d)
    if r<.2: return f'{expr(d-1)} {R.choice(["+","-","*","/","//","%","~"])} {atom(0) if R.random()<.5 else expr(d-1)}'
    if r<.21: return f'{num()} ** {R.choice(["2","3","0.5","-1","2 ** 2"])}'
    if r<.25: return f'({expr(d-1)} {R.choice(["+","*","~","%"])} {expr(d-1)})'
    if r<.31: return f'{expr(d-1)} {R.choice(["==","!=","<","<=",">",">=","in","not in"])} {expr(d-1)}'
    if r<.35: return f'{expr(d-1)} {R.choice(["and","or"])} {expr(d-1)}'
    if r<.37: return f'not {expr(d-1)}'
    if r<.4: return f'({expr(d-1)} if {expr(d-1)}{" else "+expr(d-1) if R.random()<.8 else ""})'
    if r<.56: return f'{wrap(d)} | {R.choice(FIL)}'
    if r<.60: return f'{wrap(d)} | {R.choice(FIL)} | {R.choice(FIL)}'
    if r<.68: return f'{wrap(d)} is {R.choice(TST)}'
    if r<.78: return f'{R.choice([s(),"text","emoji",s(),"html"])}.{R.choice(STRM)}'
    if r<.81: return f'{R.choice(["nums","words","[1,2,2]","mixed","(1,2)"])}.{R.choice(LM)}'
    if r<.84: return f'd.{R.choice(DM)}'
    if r<.92:
        b=R.choice(['messages','nums','words','text','emoji','d','mixed','users',s(),'range(10)','(1,2,3)'])
        return b+R.choice(['[0]','[-1]','[1:]','[::-1]','[:2]','[-2:]','[1:-1]','["a"]','[9]','.role','[0].role','[2].tool_calls[0].function.name','[::2]','.a','.items','["items"]','[0]["content"]','.0','[none]','[1.0]','[true]','[5:1]','[3:0:-1]','.__class__','[n]','[:n]'])
    if r<.96:
        return f'{R.choice([s(),s()])} % {R.choice([atom(1),"(1, 2)","(%s,)"%atom(0),"("+atom(0)+", "+atom(0)+")","d"])}'
    if r<.98: return R.choice(["'%05.1f' % f","'%x|%o|%X' % (n, n, 255)","'%e' % f","'%g' % f","'%-5d|' % n","'%+d' % n","'%s' % d","'%r' % text","'%(a)s' % d","'%5s|%-5s|' % ('a','b')","'{:.2f}'.format(f)","'{:>8}|'.format(n)","'{:^9}|'.format('x')","'{:,}'.format(big)","'{:08.3f}'.format(f)","'{!r}'.format(text)","'{0[a]} {0[b]}'.format(d)","'{:x}'.format(255)","'{:+}'.format(n)","'{:e}'.format(f)","'{:%}'.format(0.25)","'{a}'.format(a=1)","'{:05d}'.format(neg)","'{:*<6}'.format('é')","'%c' % 65","'%.3s' % text","'%i' % f","'%%'%()","'{:g}'.format(f)","'{:_}'.format(big)","'{:#x}'.format(255)","'{:b}'.format(n)"])
    return f'-{atom(0)}' if R.random()<.5 else f'+{atom(0)}'
def wrap(d):
    e=expr(d-1)
    return e if R.random()<.5 or not re.search(r'[ ]',e) else f'({e})'
def ws(): return R.choice(['','','','-','+'])
def blk(x): return '{%'+ws()+' '+x+' '+R.choice(['','','','-','+'])+'%}'
def var(x): return '{{'+R.choice(['','','-'])+' '+x+' '+R.choice(['','','-'])+'}}'
def data(): return R.choice(['','x','\n','  ','\n  ','a\n',' b ','\t','# ','--','\r\n'])
def stmt(d):
    r=R.random()
    if d<=0 or r<.3: return data()+var(expr(R.randint(1,2)))+data()
    if r<.42:
        return blk(f'if {expr(1)}')+body(d-1)+(blk(f'elif {expr(1)}')+body(d-1) if R.random()<.3 else '')+(blk('else')+body(d-1) if R.random()<.5 else '')+blk('endif')
    if r<.6:
        it=R.choice(['messages','nums','words','d.items()','text','users','range(3)','d','mixed','[]','undef','emoji','[[1,2],[3,4]]','users | groupby("age")',expr(1)])
        t=R.choice(['x','x','k, v','m'])
        c=R.choice(['','',' if '+R.choice(['x','loop','x != 2','m is string','k',expr(1)])])
        inner=R.choice(['{{ loop.index }}','{{ loop.last }}{{ loop.first }}','{{ loop.length }}/{{ loop.revindex }}','{{ loop.previtem }}|{{ loop.nextitem }}','{{ loop.cycle("a","b") }}','{{ loop.changed(x) }}','{{ x }}','{{ x.role }}','{{ k }}{{ v }}','{{ m }}',''])
        br=R.choice(['','','','{% if loop.index > 1 %}{% break %}{% endif %}','{% if x == 2 %}{% continue %}{% endif %}'])
        return blk(f'for {t} in {it}{c}')+inner+br+body(d-1)+(blk('else')+body(d-1) if R.random()<.3 else '')+blk('endfor')
    if r<.72:
        v=R.choice(['x','y','n','text','ns'])
        return R.choice([blk(f'set {v} = {expr(2)}')+'{{ '+v+' }}', blk(f'set {v}')+body(d-1)+blk('endset')+'{{ '+v+' }}', '{% set x, y = 1, '+atom(0)+' %}{{ x }}{{ y }}','{% set ns = namespace(a=0, b="") %}{% for i in nums %}{% set ns.a = ns.a + i %}{% set ns.b = ns.b ~ i %}{% endfor %}{{ ns.a }}{{ ns.b }}', blk(f'set {v} | {R.choice(["upper","trim","length"])}')+body(d-1)+blk('endset')+'{{ '+v+' }}'])
    if r<.8:
        return '{% macro mac(a, b=2, c=a) %}'+R.choice(['','{{ varargs }}','{{ kwargs }}','{{ caller() if caller else "" }}'])+'{{ a }}{{ b }}{{ c }}'+body(d-1)+'{% endmacro %}'+R.choice(['{{ mac(1) }}','{{ mac("x", c=3) }}','{{ mac() }}','{{ mac(1,2,3,4) }}','{{ mac(b=1, z=2) }}','{% call mac(1) %}Y{% endcall %}','{% call(u) mac(1) %}{{ u }}{% endcall %}','{{ mac.name }}{{ mac.arguments }}','{{ mac(*nums) }}','{{ mac(**{"a": 1}) }}'])
    if r<.84: return blk('with x = '+expr(1)+', y = '+atom(0))+body(d-1)+'{{ x }}'+blk('endwith')
    if r<.87: return blk('filter '+R.choice(['upper','trim','indent(2)','replace("a","b")','title']))+body(d-1)+blk('endfilter')
    if r<.89: return '{% raw %}'+data()+'{{ a }}{% endraw %}'
    if r<.92: return '{#'+ws()+' c '+R.choice(['','-'])+'#}'+data()
    if r<.94: return '{% generation %}'+body(d-1)+'{% endgeneration %}'
    if r<.96: return '{% for x in [[1,[2]],[3]] recursive %}{{ loop.depth }}{{ x if x is number else loop(x) }}{% endfor %}'
    if r<.97: return blk('block b%d'%R.randint(0,10**6))+body(d-1)+blk('endblock')
    if r<.98: return '{{ x }}{{ y }}{{ text | length }}'
    return R.choice(['{{ cycler("a","b").next() }}','{% set j = joiner("|") %}{{ j() }}{{ j() }}','{{ raise_exception("no") }}','{% include "x" %}','{% if %}','{{ 1','{% for %}','{{ a b }}','{% print 1, 2 %}','{{ {} }}','{{ "a" "b" }}','{% set loop = 1 %}'])
def body(d): return data()+''.join(stmt(d) for _ in range(R.randint(1,2)))+data()
def render(template, variables):
    signal.alarm(3)
    try: return _compile_jinja_template(template).render(**copy.deepcopy(variables))
    finally: signal.alarm(0)


# Addresses of objects, and what is not supported: bytes, random choices, pages of links.
skipped = re.compile(r" at 0x|built-in|<class|<bound|<function|dict_reverse|jinja2\.")
unsupported = re.compile(r"encode\(\)|random")
out = []
if len(sys.argv) > 3:
    base = dict(bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>", documents=None)
    user, answer = dict(role="user", content="Hi there"), dict(role="assistant", content="  Hello!\n")
    call = dict(role="assistant", content="", tool_calls=[dict(type="function", id="abcdefghi", function=dict(name="wx", arguments=dict(city="Köln", n=[1, 2.5, True, None])))])
    conversations = [
        [user],
        [dict(role="system", content="Be brief."), user, answer, dict(role="user", content="Bye 🌍 <x>")],
        [user, call, dict(role="tool", name="wx", tool_call_id="abcdefghi", content='{"t": 3}'), dict(role="assistant", content="3"), user],
        [dict(role="user", content=[dict(type="text", text="A"), dict(type="text", text="B")]), dict(role="assistant", content="<think>a\n</think>\nb", reasoning_content="why"), user],
    ]
    for name in sys.argv[3:]:
        template = open(name).read()
        for messages in conversations:
            for tools in (None, VARS["tools"]):
                for prompt in (True, False):
                    variables = dict(base, messages=messages, tools=tools, add_generation_prompt=prompt)
                    try: out.append(dict(template=template, variables=variables, text=render(template, variables)))
                    except Exception: out.append(dict(template=template, variables=variables))
else:
    while len(out) < N:
        template = var(expr(R.randint(1, 3))) if R.random() < 0.5 else body(2)
        if unsupported.search(template): continue
        line = dict(template=template, variables={key: value for key, value in VARS.items() if key != "big"})
        try: line["text"] = render(template, VARS)
        except (RecursionError, MemoryError): continue
        except Exception:
            if R.random() < 0.75: continue
        text = line.get("text", "")
        if not skipped.search(text) and len(text) < 20000: out.append(line)
with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
    json.dump(out, file)
print(file.name)
