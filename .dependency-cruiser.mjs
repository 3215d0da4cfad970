// Import rules: the table "Who may import whom" of ARCHITECTURE.md, checked by `node tools/check-imports.ts`.

const folder = (name) => `^service/src/${name}/`
const file = (name) => `^service/src/${name}\\.ts$`

const domain = folder('domain')
const contract = folder('contract')
const database = folder('database')
const accounts = folder('accounts')
const record = folder('record')
const jobs = folder('jobs')
const outbound = folder('outbound')
const catalog = folder('catalog')
const search = folder('search')
const matching = folder('matching')
const notify = folder('notify')
const log = file('log')

/** Each row: its name, a pattern of modules, the service modules that these may import, and the rule in words. */
const LAYERS = [
  ['domain', domain, [], 'domain may import nothing of ours.'],
  ['contract', contract, [domain], 'contract may import domain.'],
  ['database', database, [], 'database may import nothing of ours.'],
  ['record', record, [domain, contract, database], 'record may import domain, contract and database.'],
  ['log', '^service/src/log(?:-sink)?\\.ts$', [domain], 'log.ts may import log-sink.ts and domain.'],
  ['config', file('config'), [domain], 'config.ts may import domain.'],
  ['accounts', accounts, [domain, database], 'accounts may import domain and database.'],
  ['jobs', jobs, [database, log], 'jobs may import database and log.'],
  ['outbound', outbound, [domain, log], 'outbound may import domain and log.'],
  [
    'feeds',
    '^service/src/feeds/(?!index\\.ts$|sources/)',
    [domain, database, outbound, log],
    'feeds outside sources may import domain, database, outbound and log. Only feeds/index.ts imports the single sources.',
  ],
  [
    'feed-source',
    '^service/src/feeds/sources/([^/]+)/',
    [
      '^service/src/feeds/sources/$1/',
      '^service/src/feeds/(?!index\\.ts$|sources/|engine/)',
      domain,
      database,
      outbound,
      log,
    ],
    'A feed source may import its own folder, feeds/*.ts except the list, feeds/stores, feeds/download, feeds/formats, domain, database, outbound and log; never another source and never feeds/engine.',
  ],
  ['feed-list', file('feeds/index'), [folder('feeds')], 'feeds/index.ts may import feeds only: it is a list.'],
  [
    'catalog',
    catalog,
    [domain, contract, database, record, log],
    'catalog may import domain, contract, database, record and log.',
  ],
  [
    'search',
    search,
    [domain, contract, database, record],
    'search may import domain, contract, database and record: not only the API searches.',
  ],
  [
    'matching',
    matching,
    [domain, contract, database, record, search],
    'matching may import domain, contract, database, record and search, which suggests names of products.',
  ],
  [
    'notify',
    notify,
    [domain, contract, database, record, search, log],
    'notify may import domain, contract, database, record, search and log: it judges changes with the searches of the API.',
  ],
  [
    'endpoint',
    '^service/src/api/endpoints/([^/]+)/',
    [
      '^service/src/api/endpoints/$1/',
      folder('api/self-service'),
      folder('api/cve-record'),
      '^service/src/api/(services|coalesce|rendered|component-filter)\\.ts$',
      contract,
      domain,
      accounts,
      database,
      record,
      search,
      matching,
    ],
    'An endpoint may import its own folder, contract, domain, accounts, database, record, search, matching, api/cve-record, api/self-service, api/services.ts, api/coalesce.ts, api/component-filter.ts and api/rendered.ts; never another endpoint. Code that two endpoints need belongs in one of these.',
  ],
  [
    'endpoint-list',
    file('api/endpoints/index'),
    [folder('api/endpoints/[^/]+'), file('api/services')],
    'api/endpoints/index.ts may import the endpoints and api/services.ts only: it is a list.',
  ],
  [
    'api',
    '^service/src/api/(?!endpoints/)',
    [contract, domain, accounts, database, record, search, matching, log],
    'api outside endpoints may import contract, domain, accounts, database, record, search, matching and log. runtime passes it the list of endpoints, the pages for people and its settings; feeds and catalog share only the database and record with it.',
  ],
  [
    'documentation',
    folder('documentation'),
    [contract, domain, '^service/src/api/(?!endpoints/)'],
    'documentation may import contract, domain and api outside endpoints.',
  ],
  [
    'console',
    folder('console'),
    [contract, domain, accounts, database, log, '^service/src/api/(?!endpoints/)'],
    'console may import contract, domain, accounts, database, log and api outside endpoints.',
  ],
  [
    'runtime',
    folder('runtime'),
    ['^service/src/(?!main\\.ts$|commands/)'],
    'runtime may import everything except commands and main.ts.',
  ],
  ['commands', folder('commands'), ['^service/src/(?!main\\.ts$)'], 'commands may import everything except main.ts.'],
  ['main', file('main'), ['^service/src/'], 'main.ts may import everything.'],
]

/** The same for the console: its parts and what they may import of the console. */
const CONSOLE_PARTS = [
  ['text', '^console/src/text/', [], 'text may import nothing else of the console.'],
  ['data', '^console/src/data/', ['^console/src/text/'], 'data may import text.'],
  ['kit', '^console/src/kit/', ['^console/src/text/'], 'kit may import text: its parts know no page and no query.'],
  [
    'page',
    '^console/src/pages/([^/]+)/',
    ['^console/src/pages/$1/', '^console/src/(data|kit|text)/'],
    'A page may import its own folder, data, kit and text; never another page. Code that two pages need belongs in kit, data or text.',
  ],
]

function consoleRule([name, modules, mayImport, comment]) {
  const own = modules.includes('([^/]+)') ? [] : [modules]
  return {
    name: `console-${name}`,
    severity: 'error',
    comment,
    from: { path: modules },
    to: { path: '^console/src/', pathNot: [...own, ...mayImport] },
  }
}

function layerRule([name, modules, mayImport, comment]) {
  // Modules may import their own folder. A pattern with a group such as ([^/]+) matches several folders, so its row
  // permits the own folder itself, as $1.
  const own = modules.includes('([^/]+)') ? [] : [modules]
  return {
    name: `layer-${name}`,
    severity: 'error',
    comment,
    from: { path: modules },
    to: { path: '^service/src/', pathNot: [...own, ...mayImport] },
  }
}

const SOURCE = '^(service|sdk|cli|console)/src/'
const SDK = '^sdk/src/(index|generated/(vocabulary|sources))\\.ts$'
/** The build adds the start script to index.html by its path, with the file that only it imports. */
const START_SCRIPT = '^console/src/data/(start-script|early-reads)\\.ts$'
/** The evaluator of watches will import it: then delete this exception. */
const NOT_USED_YET = '^service/src/search/watch/query-index\\.ts$'
const SEPARATE_WORKSPACES =
  'Workspaces share no source: openapi.json is the boundary. Only cli and console import another workspace, the sdk, and by its package name: vis-sdk, vis-sdk/vocabulary and vis-sdk/sources.'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...LAYERS.map(layerRule),
    ...CONSOLE_PARTS.map(consoleRule),
    {
      name: 'unknown-layer',
      severity: 'error',
      comment:
        'A module of service/src must belong to a layer. A new layer needs an ADR and a row in .dependency-cruiser.mjs and ARCHITECTURE.md.',
      from: {},
      to: { path: '^service/src/', pathNot: LAYERS.map(([, modules]) => modules) },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Import cycles are forbidden, also between types: move the shared part into a third module.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-vague-names',
      severity: 'error',
      comment: 'A file or folder is named after its subject; utils, helpers, common, shared and lib are not subjects.',
      from: {},
      to: {
        path: '/src/.*/(utils?|helpers?|common|shared|libs?)(/|\\.)|/src/(utils?|helpers?|common|shared|libs?)(/|\\.)',
        pathNot: 'node_modules',
      },
    },
    {
      name: 'no-workspace-crossing',
      severity: 'error',
      comment: SEPARATE_WORKSPACES,
      from: { path: SOURCE },
      to: { path: SOURCE, pathNot: ['^$1/src/', SDK] },
    },
    {
      name: 'no-sdk-in-service',
      severity: 'error',
      comment: SEPARATE_WORKSPACES,
      from: { path: '^service/src/' },
      to: { path: SDK },
    },
    {
      name: 'sdk-by-name',
      severity: 'error',
      comment: SEPARATE_WORKSPACES,
      from: { path: '^(cli|console)/src/' },
      to: { path: SDK, dependencyTypes: ['local'] },
    },
    {
      name: 'only-src-ships',
      severity: 'error',
      comment: 'Packages contain src only: src may import src and packages, never tests, tools or build results.',
      from: { path: SOURCE },
      to: { pathNot: [SOURCE, '(^|/)node_modules/'], dependencyTypes: ['local', 'undetermined'] },
    },
    {
      name: 'no-tests-in-src',
      severity: 'error',
      comment: 'src may not import tests: packages do not contain them.',
      from: { path: SOURCE },
      to: { path: `${SOURCE}.*\\.(test|long)\\.tsx?$` },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      comment: "src may import only packages listed under dependencies in its own workspace's package.json.",
      from: { path: SOURCE },
      to: { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-unresolved-imports',
      severity: 'error',
      comment: 'The import does not resolve: correct the path or install the package.',
      from: { path: SOURCE },
      to: { couldNotResolve: true },
    },
    ...['service/src/main.ts', 'sdk/src/index.ts', 'cli/src/main.ts', 'console/src/main.tsx'].map((entry) => ({
      name: `no-dead-modules-${entry.split('/')[0]}`,
      severity: 'error',
      comment: `Every module must be reachable from ${entry}: import the module or delete it.`,
      from: { path: `^${entry.replaceAll('.', '\\.')}$` },
      to: { path: `^${entry.split('/')[0]}/src/`, pathNot: [SDK, START_SCRIPT, NOT_USED_YET], reachable: false },
    })),
  ],
  options: {
    // The rules also apply to imports of types, because these couple modules as much as imports of values.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
    },
  },
}
