// Who may import whom: the table of ARCHITECTURE.md, in the words of dependency-cruiser.
import type { IFlattenedRuleSet, IForbiddenRuleType } from 'dependency-cruiser'

export const WORKSPACES = ['service', 'sdk', 'cli', 'console'] as const

/** Where each workspace is entered: whatever cannot be reached from here is dead. */
export const ENTRIES = ['service/src/main.ts', 'sdk/src/index.ts', 'cli/src/main.ts', 'console/src/main.tsx']

interface Floor {
  readonly name: string
  /** Which modules the row is about. `$1` in mayImport stands for the group of this pattern. */
  readonly modules: string
  /** Beside the row itself. */
  readonly mayImport: readonly string[]
  /** Completes "… may import …", for whoever tripped over the row. */
  readonly allowed: string
}

const folder = (name: string) => `^service/src/${name}/`
const file = (name: string) => `^service/src/${name}\\.ts$`

const [domain, contract, database, accounts, log] = [
  folder('domain'),
  folder('contract'),
  folder('database'),
  folder('accounts'),
  file('log'),
]
/** Everything of feeds/ except the single sources and their list. */
const FEED_FLOW = '^service/src/feeds/(?!index\\.ts$|sources/)'
const API_FLOW = '^service/src/api/(?!endpoints/)'

/** A module of the service that no row describes is a violation: a new floor is a decision, not an accident. */
export const FLOORS: readonly Floor[] = [
  { name: 'domain', modules: domain, mayImport: [], allowed: 'nothing of ours' },
  { name: 'contract', modules: contract, mayImport: [domain], allowed: 'domain' },
  { name: 'database', modules: database, mayImport: [], allowed: 'nothing of ours' },
  { name: 'log', modules: log, mayImport: [], allowed: 'nothing of ours' },
  { name: 'config', modules: file('config'), mayImport: [domain], allowed: 'domain' },
  { name: 'accounts', modules: accounts, mayImport: [domain, database], allowed: 'domain and database' },
  {
    name: 'feeds',
    modules: FEED_FLOW,
    mayImport: [domain, database, log],
    allowed:
      'feeds/*.ts, feeds/engine, feeds/stores, feeds/download, feeds/formats, domain, database and log; only feeds/index.ts imports the single sources',
  },
  {
    name: 'feed-source',
    modules: '^service/src/feeds/sources/([^/]+)/',
    mayImport: [
      '^service/src/feeds/sources/$1/',
      '^service/src/feeds/(?!index\\.ts$|sources/|engine/)',
      domain,
      database,
      log,
    ],
    allowed:
      'its own folder, feeds/*.ts except the list, feeds/stores, feeds/download, feeds/formats, domain, database and log; never another source and never feeds/engine',
  },
  {
    name: 'feed-list',
    modules: file('feeds/index'),
    mayImport: [folder('feeds')],
    allowed: 'feeds/*.ts and the single feeds, and nothing else: it is a list',
  },
  {
    name: 'catalog',
    modules: folder('catalog'),
    mayImport: [domain, contract, database, log],
    allowed: 'domain, contract, database and log',
  },
  {
    name: 'endpoint',
    modules: '^service/src/api/endpoints/([^/]+)/',
    mayImport: [
      '^service/src/api/endpoints/$1/',
      folder('api/cve-record'),
      folder('api/search'),
      '^service/src/api/(cursor|services)\\.ts$',
      contract,
      domain,
      accounts,
      database,
    ],
    allowed:
      'its own folder, contract, domain, accounts, database, api/cve-record, api/cursor.ts and api/services.ts; never another endpoint: what two of them need goes to domain, contract or api/cve-record',
  },
  {
    name: 'endpoint-list',
    modules: file('api/endpoints/index'),
    mayImport: [folder('api/endpoints/[^/]+'), file('api/services')],
    allowed: 'the single endpoints and api/services.ts, and nothing else: it is a list',
  },
  {
    name: 'api',
    modules: API_FLOW,
    mayImport: [contract, domain, accounts, database, log],
    allowed:
      'contract, domain, accounts, database, log and the rest of api outside endpoints; commands hands it the list of endpoints and the settings it needs, and feeds and catalog meet it in the database only',
  },
  {
    name: 'runtime',
    modules: folder('runtime'),
    mayImport: ['^service/src/(?!main\\.ts$|commands/)'],
    allowed: 'everything but commands and main.ts',
  },
  {
    name: 'commands',
    modules: folder('commands'),
    mayImport: ['^service/src/(?!main\\.ts$)'],
    allowed: 'everything but main.ts',
  },
  { name: 'main', modules: file('main'), mayImport: ['^service/src/'], allowed: 'everything' },
]

function floorRule({ name, modules, mayImport, allowed }: Floor): IForbiddenRuleType {
  // A row with a group names one folder of several: its own folder is then spelled out in mayImport.
  const own = modules.includes('([^/]+)') ? [] : [modules]
  return {
    name: `floor-${name}`,
    severity: 'error',
    comment: `${name} may import ${allowed}.`,
    from: { path: modules },
    to: { path: '^service/src/', pathNot: [...own, ...mayImport] },
  }
}

const SOURCE = `^(${WORKSPACES.join('|')})/src/`
const SDK = '^sdk/src/index\\.ts$'

const SHARED_NOTHING =
  'Workspaces share no source: openapi.json is the boundary. Only cli and console import another one, the sdk, and by its name: @vis/sdk.'

const EVERYWHERE: readonly IForbiddenRuleType[] = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'No module may reach itself, not even by types alone: move what both sides need into a third module.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-workspace-crossing',
    severity: 'error',
    comment: SHARED_NOTHING,
    from: { path: SOURCE },
    to: { path: SOURCE, pathNot: ['^$1/src/', SDK] },
  },
  {
    name: 'no-sdk-in-service',
    severity: 'error',
    comment: SHARED_NOTHING,
    from: { path: '^service/src/' },
    to: { path: SDK },
  },
  {
    name: 'sdk-by-name',
    severity: 'error',
    comment: SHARED_NOTHING,
    from: { path: '^(cli|console)/src/' },
    to: { path: SDK, dependencyTypes: ['local'] },
  },
  {
    name: 'no-way-out-of-src',
    severity: 'error',
    comment: 'Only src is shipped: it may import src and packages, never tests, tools, scripts or build results.',
    from: { path: SOURCE },
    to: { pathNot: [SOURCE, '(^|/)node_modules/'], dependencyTypes: ['local', 'undetermined'] },
  },
  {
    name: 'no-tests',
    severity: 'error',
    comment: 'Production code may not import tests: they are not shipped.',
    from: { path: SOURCE },
    to: { path: `${SOURCE}.*\\.(test|long)\\.tsx?$` },
  },
  {
    name: 'no-undeclared-packages',
    severity: 'error',
    comment:
      "src may import only what its own workspace's package.json lists under dependencies: devDependencies are not there in production.",
    from: { path: SOURCE },
    to: { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolved-imports',
    severity: 'error',
    comment: 'An import that leads nowhere cannot be checked: correct the path, or install the package.',
    from: { path: SOURCE },
    to: { couldNotResolve: true },
  },
]

function orphanRule(entry: string): IForbiddenRuleType {
  const [workspace] = entry.split('/')
  return {
    name: `no-orphans-${workspace}`,
    severity: 'error',
    comment: `Every module is reached from ${entry}: import it, delete it, or name it as an entry in tools/import-rules.ts.`,
    from: { path: `^${entry.replaceAll('.', '\\.')}$` },
    to: { path: `^${workspace}/src/`, reachable: false },
  }
}

export const RULES: IFlattenedRuleSet = {
  forbidden: [...FLOORS.map(floorRule), ...EVERYWHERE, ...ENTRIES.map(orphanRule)],
}
