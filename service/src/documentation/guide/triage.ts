import {
  MAX_TRIAGE_ENTRIES,
  REOPENER_MEANINGS,
  TRIAGE_EFFECT_MEANINGS,
  TRIAGE_STATE_MEANINGS,
} from '../../domain/triage/words.ts'
import { code, commands, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const listWords = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([word, meaning]) => [code(word), meaning])

const TEXT = html`
<p>A state is what your account decided about a CVE: in which packages or products, why, until when, and who did. Your colleagues
see it, and a scan can apply it. All calls on this page are free of charge; the key must have the scope <code>triage</code>
(<a href="/docs/guide/keys">keys</a>). In the console, every member reads states, and admins and owners change them.</p>
<h2 id="states">States</h2>
${table(['state', 'means'], listWords(TRIAGE_STATE_MEANINGS))}
${commands`
visctl states set CVE-2021-23337 pkg:npm/lodash --versions '<4.17.21' --state not_affected --justification vulnerable_code_not_in_execute_path --note 'We never call template().' --until 2027-01-31
visctl states list --product lodash
`}
<h2 id="scope">Scope</h2>
<p>The scope <code>*</code> is the CVE as such: its state is shown everywhere and hides nothing. A package URL or a CPE name without
a version limits the state to that package or product, and <code>version_range</code> to some of its versions:
<code>&gt;=1.0|&lt;2.0</code>, or <code>=1.5|=1.6</code>. A version in the name is the same as <code>=</code> with that version.
Packages of a distribution are named by their source package, as in <code>interpreted_as</code> of
<a href="/docs/guide/matching">a match</a>; with <code>distro</code>, the state is about that release only. What is not surely inside
a scope is outside: a component whose name was guessed, or whose version cannot be compared with the range.</p>
<h2 id="effect">What a state does</h2>
<p><code>triage=apply</code> in <code>POST /api/v1/match</code> and <code>/sbom</code>, and <code>--triage apply</code> in
<code>visctl scan</code>, hide findings within the scope of a state that is <code>not_affected</code>, <code>fixed</code> or
<code>accepted</code>. Without it, nothing is hidden. <code>data.triage</code> has their number and whose states they are, each
component lists them in <code>suppressed</code>, and a gate names them in <code>hidden</code> and in a warning, also if it passed. With a
key that may not read states, nothing is hidden, and <code>data.triage.not_applied_because</code> says so.</p>
${table(['effect', 'means'], listWords(TRIAGE_EFFECT_MEANINGS))}
<h2 id="reopening">Reopening</h2>
<p>The service remembers what was known when you set a state. The state is open again as long as one of these holds, unless
<code>unless</code> leaves it out:</p>
${table(['reason', 'means'], listWords(REOPENER_MEANINGS))}
<p>Look at what is open again, then set the state again with its revision, or remove it:</p>
${commands`
visctl states list --effect reopened
visctl states remove CVE-2021-23337 pkg:npm/lodash --versions '<4.17.21'
visctl states history CVE-2021-23337
`}
<h2 id="conflicts">Two people, one entry</h2>
<p>A change names the revision that it replaces; <code>0</code>, the default, is a new entry. If somebody else changed the entry
meanwhile, you get 409, nothing is changed, and <code>details.current</code> is the entry as it is now. <code>visctl</code> reads the
revision itself unless <code>--revision</code> names one. <code>POST /api/v1/triage/bulk</code> makes up to 500 changes, each judged
alone. Every revision stays in the history, also after a removal, and the audit log has a line for each call with the states that it set.</p>
<p>An account has at most ${Object.entries(MAX_TRIAGE_ENTRIES)
  .map(([plan, limit]) => `${limit.toLocaleString('en')} (${plan})`)
  .join(', ')} entries, and makes at most twice as many changes on a day (UTC).</p>
<h2 id="openvex">OpenVEX</h2>
<p>All states are one OpenVEX document, and a document becomes states. Other tools hide no more than this service does:
<code>accepted</code> becomes <code>affected</code>, and a state that has ended or is open again becomes
<code>under_investigation</code>. What OpenVEX has no member for is one line at the end of <code>status_notes</code>, which the import
reads again, and <code>not_expressed</code> names it. The import guesses nothing: statements without a CVE, about a part of a product, or
about something that is neither a package URL nor a CPE name are left out and named in <code>problems</code>. It keeps entries that say
something else, unless you send <code>replace</code>.</p>
${commands`
visctl states export > vex.json
visctl states import vex.json
`}
`

export const triage: GuidePage = {
  path: '/docs/guide/triage',
  title: 'Keep what you decided',
  summary: 'Set states of CVEs for your packages, apply them in scans, and exchange them as OpenVEX.',
  body: () => TEXT,
}
