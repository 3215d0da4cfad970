import { describe, expect, it } from 'vitest'
import { cleanText } from '../../../src/catalog/sources/text/clean-text.ts'
import { MAX_LINEAR_GROWTH, measureGrowth } from '../../support/growth.ts'

describe('Clean text: HTML', () => {
  it('converts a text that is entirely HTML to lines', () => {
    const html =
      '<p>The <strong>spooler</strong> fails &amp; stops.</p>\n<p>Set <a href="https://a.example/1">two keys</a>:</p>\n<ul>\n<li>First</li>\n<li><p>Second</p>\n</li>\n</ul>'
    expect(cleanText(html)).toBe('The spooler fails & stops.\n\nSet two keys:\n- First\n- Second')
  })

  it('removes only formatting tags from a text that is entirely HTML', () => {
    expect(cleanText('<p>A page with <script> runs.</p>')).toBe('A page with <script> runs.')
  })

  it.each([
    ['a line break after a sentence', 'A bug.<br><br>Only on phones. <br> *Note', 'A bug.\n\nOnly on phones.\n*Note'],
    ['a pair of code tags', 'The <code>bind</code> function fails.', 'The bind function fails.'],
    ['a link', 'See <a href="https://a.example/?x=1&y=2">note 5</a>.', 'See note 5.'],
    ['a link that is never closed', 'See <a target="_blank" href="https://a.example">note 5.', 'See note 5.'],
  ])('removes %s', (_case, text, expected) => {
    expect(cleanText(text)).toBe(expected)
  })

  it.each([
    'Nicknames that contain <br> sequences crash the server.',
    'An attribute of the <a> tag runs a script, also in <b>.',
    'The page reflects <img src=x onerror=alert(1)> and <script>alert(1)</script>.',
    'A `<a href="https://a.example">` element and a `<code>x</code>` pair survive.',
    'A link such as <a href=javascript:alert(1)>x</a> is not removed.',
    'The field <id> of <task> is read after it is freed.',
  ])('keeps tags that the text is about: %s', (text) => {
    expect(cleanText(text)).toBe(text)
  })
})

describe('Clean text: character references', () => {
  it.each([
    ['Routers &amp; switches of A&amp;B', 'Routers & switches of A&B'],
    [
      'Text in an `&lt;input&gt;` tag or `&lt;select&gt;` element crashes it.',
      'Text in an `<input>` tag or `<select>` element crashes it.',
    ],
    ['The field info-&gt;ne overflows.', 'The field info->ne overflows.'],
    ['Choose Resources &gt; Services &gt; Start.', 'Choose Resources > Services > Start.'],
    ['MSR: 0280b033 &lt;SF,VEC,EE&gt; CR: 28', 'MSR: 0280b033 <SF,VEC,EE> CR: 28'],
    ['A device.&nbsp;\r\n\r\nIt restarts.', 'A device.\n\nIt restarts.'],
    ['The user&rsquo;s plugin &#8211; version 2 &#039;x&#39;', 'The user\u2019s plugin \u2013 version 2 \u0027x\u0027'],
    ['The parameter row&#91;a&#95;b&#93;', 'The parameter row[a_b]'],
    ['A &lt;canvas&gt; element', 'A <canvas> element'],
    ['The &quot;update&quot; check', 'The "update" check'],
    ['A value of &amp;lt; stays escaped once', 'A value of &lt; stays escaped once'],
  ])('decodes %s', (text, expected) => {
    expect(cleanText(text)).toBe(expected)
  })

  it('keeps the indentation of program output', () => {
    expect(cleanText('A &amp; B fails:\n  Call trace:\n    first')).toBe('A & B fails:\n  Call trace:\n    first')
  })

  it.each([
    'Characters are expanded to "&lt;" and "&gt;" sequences.',
    'Encoded tags such as &lt;, &gt;, and &amp; in fields.',
    'A buffer overflows because of &nbsp; expansion.',
    'A file named "setup.bat&quot;;x=.txt" is sent.',
    'A script runs for java&#115;cript: and java&#13;script: addresses.',
    'The wikitext `{{&lt;img src=x&gt;}}` is rendered.',
    'The address javascript&colon; is accepted.',
  ])('keeps references that the text is about: %s', (text) => {
    expect(cleanText(text)).toBe(text)
  })
})

describe('Clean text: mojibake', () => {
  it.each([
    ['the userâ€™s router â€“ version 2', 'the user\u2019s router \u2013 version 2'],
    ['MÃ¼ller TopRouterÂ® and FastRouterâ„¢', 'Müller TopRouter® and FastRouter™'],
    ['the AzureÃ‚Â\u00a0server', 'the Azure\u00a0server'],
    ['the Ð¡Ñ‡ÐµÑ‚ tab', 'the Счет tab'],
    ['the kernel\ufffd\ufffd\ufffds driver \ufffd\ufffd\ufffd version 2', 'the kernel\u2019s driver \u2013 version 2'],
    ['the \ufffd\ufffd\ufffdtitle\ufffd\ufffd\ufffd parameter', 'the "title" parameter'],
    ['plugin <=\ufffd\ufffd2.0.4, An\ufffd\ufffdImproper check', 'plugin <= 2.0.4, An Improper check'],
  ])('repairs %s', (text, expected) => {
    expect(cleanText(text)).toBe(expected)
  })

  it.each([
    'Müller, Škoda, naïve, São Paulo, “quoted”, 5 °C, €5 and Россия',
    'M\ufffd\ufffdrchen loses an umlaut',
    'the victimï¿½s browser',
    'å®? is incomplete',
  ])('keeps %s', (text) => {
    expect(cleanText(text)).toBe(text)
  })
})

describe('Clean text: general', () => {
  it('does not change its own result', () => {
    const once = cleanText('<p>A &amp; B.</p><p>the userâ€™s <code>x</code>.<br>Next</p>')
    expect(cleanText(once)).toBe(once)
  })

  it.each(['<', '<a ', '<code>', '<br>', '&lt;', '&', '&#', 'â€', '\ufffd', '`', '<p>', '\n', ' '])(
    'reads up to 200,000 repetitions of %j in linear time',
    (part) => {
      expect(measureGrowth(200_000, (count) => cleanText(`<p>${part.repeat(count)}</p>`))).toBeLessThan(
        MAX_LINEAR_GROWTH,
      )
      expect(measureGrowth(200_000, (count) => cleanText(part.repeat(count)))).toBeLessThan(MAX_LINEAR_GROWTH)
    },
  )
})
