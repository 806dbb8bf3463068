import { expect, test } from 'vitest';
import { readXml, writeXml } from './xml.ts';

test.each([
  ['named references', '<a>&amp;&lt;&gt;&quot;&apos;</a>', { a: `&<>"'` }],
  ['numbers of characters', '<a>it&#39;s&#xA;&#x1F600;</a>', { a: "it's\n😀" }],
  ['references are decoded once', '<a>&#38;amp; &amp;#39;</a>', { a: '&amp; &#39;' }],
  ['literal data', '<a>x<![CDATA[&#39; <b>]] ]]>y</a>', { a: 'x&#39; <b>]] y' }],
  ['prefixes and attributes', `<s:a xmlns:s="u" q='&gt;'><s:b/></s:a>`, { a: { b: '' } }],
  ['comments and instructions', '<?xml version="1.0"?><!-- - --><a>1<!--x-->2<?p?></a>\n', { a: '12' }],
  ['repeated elements', '<a> <b>1</b> <c/><b>2</b><b/></a>', { a: { b: ['1', '2', ''], c: '' } }],
  ['ends of lines', '<a>1\r\n2\r3&#13;</a>', { a: '1\n2\n3\r' }],
  ['space', '<a> b </a >', { a: ' b ' }],
  [
    'names of the prototype',
    '<a><__proto__>1</__proto__><constructor/></a>',
    { a: { ['__proto__']: '1', constructor: '' } },
  ],
])('%s', (_, xml, expected) => {
  expect(JSON.stringify(readXml(xml))).toBe(JSON.stringify(expected));
});

test.each([
  '',
  'x',
  '<a>',
  '<a></b>',
  '<a/><b/>',
  '<a/>x',
  '<a>&</a>',
  '<a>&nbsp;</a>',
  '<a>&#0;</a>',
  '<a>&#x1;</a>',
  '<a>&#xD800;</a>',
  '<a>&#x110000;</a>',
  '<a>\u0001</a>',
  '<a>\uffff</a>',
  '<a>x<b/></a>',
  '<a b=c/>',
  '<a b="<"/>',
  '<!DOCTYPE a><a/>',
  '<a><!-- -- --></a>',
  '<a><![CDATA[</a>',
  '<1/>',
  '<a>'.repeat(100_000),
])('not a document: %j', xml => {
  expect(() => readXml(xml)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
});

test('what is written can be read', () => {
  const content = { '@n': 'a"<&', b: [`'"&<>\r\n\t]]>&#39; 😀 é`, '', 1, true], c: undefined };
  const xml = writeXml({ a: content });
  expect(xml).toContain('<a n="a&quot;&lt;&amp;">');
  expect(JSON.stringify(readXml(xml))).toBe(JSON.stringify({ a: { b: [content.b[0], '', '1', 'true'] } }));
  expect(readXml(writeXml({ a: '\u0001b\ufffe' }))).toEqual(Object.assign(Object.create(null), { a: '\ufffdb\ufffd' }));
});
