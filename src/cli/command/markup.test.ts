import { expect, test } from 'vitest';
import { html, lines } from './markup.ts';

test('interpolated values are escaped, in text and in attributes', () => {
  const name = `</title><script>alert("x")</script> & 'y'`;
  expect(html`<p title="${name}">${name}</p>`.source).toBe(
    '<p title="&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;">&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;</p>',
  );
  expect(html`${'a\u0000b\u001bc\td'}`.source).toBe('a\ufffdb\ufffdc\td');
});

test('markup is not escaped, lists keep their order, undefined and false render as nothing', () => {
  const items = ['a', '<b>'].map(item => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${false}${0}`.source).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0');
  expect(lines(items).source).toBe('<li>a</li>\n<li>&lt;b&gt;</li>');
});
