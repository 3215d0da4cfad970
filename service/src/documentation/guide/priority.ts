import { CONTEXT_RULES } from '../../domain/priority/context.ts'
import { EPSS_RULE } from '../../domain/priority/epss-rule.ts'
import { type Condition, POLICIES, POLICY_FACTS, POLICY_VERSION, type Policy } from '../../domain/priority/policy.ts'
import { code, commands, type Html, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const POLICY: Policy = POLICIES[POLICY_VERSION]

const TEXT = html`
<p>Every CVE has a priority level, which says what a team should do first, and reasons as sentences that you can copy into a
ticket. The level is computed from facts whose sources the answer names: without a clock and without data of your account, so
everybody gets the same level. The commands use the two variables of the <a href="/docs/guide">quickstart</a>.</p>
${commands`
visctl get CVE-2021-44228 --priority
`}
<p>In the API, <code>include=priority</code> adds the member <code>priority</code>, in lists too.</p>

<h2 id="levels">Levels</h2>
<p>These are the rules of policy ${POLICY_VERSION}. The first level with a rule that holds applies; a rejected CVE has no
level. <code>GET /api/v1/policy</code> returns the same rules as data. A published version never changes: new rules get a new
version, and <code>policy_version</code> of each answer names the one that was applied.</p>
${table(
  ['level', 'meaning', 'rules, one of which must hold'],
  POLICY.levels.map(({ level, title, anyOf }) => [code(level), title, renderRules(anyOf)]),
)}
<p>${POLICY.unknownValues}</p>
${table(
  ['fact', 'meaning'],
  listFacts(POLICY).map((fact) => [code(fact), POLICY_FACTS[fact]]),
)}

<h2 id="unrated">unrated is not safe</h2>
<p>A CVE without a score, an EPSS score, an SSVC value and evidence of an exploit is <code>unrated</code>: it may turn out to be
urgent, so lists have it before P3. <code>awaiting</code> names what would rate it. A gate treats it as not judged.</p>

<h2 id="epss">EPSS, and why a level stays</h2>
<p>A score that moves around a threshold would change the level every few days. So a CVE gets a threshold when its score reaches it,
and keeps it until the score is below ${EPSS_RULE.keep} of it: a level can stay although today's score is below the
threshold. <code>level_by_epss</code> has the threshold, since when the CVE holds it, and the score below which the level ends
(<code>kept_from</code>). Each EPSS model distributes scores in its own way, so each has its own thresholds:</p>
${table(
  ['EPSS model', 'thresholds'],
  [
    ...Object.entries(EPSS_RULE.models).map(([model, thresholds]) => [model, thresholds.join(', ')]),
    ['any other', `the scores that these shares of all scored CVEs reach: ${EPSS_RULE.shares.join(', ')}`],
  ],
)}
<p>The rules name the thresholds of ${EPSS_RULE.referenceModel}.</p>

<h2 id="deadlines">Deadlines</h2>
<p><code>deadline</code> has the days by CISA's directive BOD 26-04, which binds US federal agencies, for systems that the internet
can reach and for internal ones. It is computed only from CISA's own inputs. If one is missing, <code>inputs</code> is
<code>incomplete</code>, and <code>estimate</code> has what derived values would give: it is not a deadline of the directive. Level
and deadline can differ: the level is an order of work, the deadline is a duty of those whom the directive binds.</p>

<h2 id="context">What you know about your systems</h2>
<p><code>POST /api/v1/prioritize</code> ranks up to 500 CVEs and takes the exposure of the affected systems. Two rules move the level,
and the first reason then says so:</p>
<ul>${CONTEXT_RULES.map(({ text }) => html`<li>${text}</li>`)}</ul>
${commands`
visctl prioritize CVE-2024-3094 CVE-2021-44228 --exposure internal
`}

<h2 id="use">Filter, sort and gate</h2>
<p><code>sort=priority_desc</code> begins with the most urgent CVE; within a level, exploitation, ransomware, automatable, total impact
and the score decide. <code>sort=level_desc</code> has the same levels, and within a level the CVE first to which something
happened last: its publication, its addition to a KEV catalog, or that it became P0 or P1:</p>
${commands`
visctl search --priority P0,P1 --sort priority_desc
visctl search --priority P0,P1 --sort level_desc
`}
<p>A gate with <code>--priority P1</code> stops at a CVE of level P0 or P1, with exit code 1:</p>
${commands`
visctl gate --priority P1 CVE-2021-44228
`}
<p><code>visctl changes --types priority_raised</code> lists CVEs that became more urgent, each with its cause.</p>

<h2 id="limits">What a level does not say</h2>
<ul>
<li>It does not say that you are affected: <a href="/docs/guide/matching">matching</a> judges your components.</li>
<li>It does not say what an attack would cost you: it knows your systems only as far as you describe them.</li>
<li>P4 does not mean safe. It means that nothing that is known calls for more than routine.</li>
<li>It is no forecast: EPSS is an estimate, and no source sees all exploitation.</li>
</ul>
`

type Fact = Condition['fact']

function renderRules(anyOf: readonly (readonly Condition[])[]): Html {
  const rules = anyOf.map((all) => (all.length === 0 ? 'every other CVE' : all.map(renderCondition).join(' and ')))
  return html`${rules.join('; or ')}`
}

function renderCondition({ fact, min }: Condition): string {
  return min === undefined ? fact : `${fact} ≥ ${min}`
}

function listFacts({ levels }: Policy): readonly Fact[] {
  return [...new Set(levels.flatMap(({ anyOf }) => anyOf.flat().map(({ fact }) => fact)))]
}

export const priority: GuidePage = {
  path: '/docs/guide/priority',
  title: 'Priority',
  summary: 'What the levels mean, the rules behind them, and how to work with them.',
  body: () => TEXT,
}
