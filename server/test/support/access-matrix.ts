import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import {
  accessRows,
  expectedStatus,
  socketPaths,
  type ExpectedStatus,
  type Row,
  type TestCaller,
  type TestResource,
} from './access-oracle.ts'
import { bearer as byToken, createToken } from './create-token.ts'
import { seedExports } from './export-seed.ts'
import { pairScreen } from './pair-screen.ts'
import { rawRequest, webSocketHandshake, type RawResponse } from './raw-request.ts'
import { grayJpeg, seedReview } from './review-seed.ts'
import type { Service } from './service.ts'
import { startService, type InProcessService } from './start-service.ts'
import type { TestClient } from './test-client.ts'

/** `cellar` doesn't exist. As long as `office`, so that their responses have the same length. */
const own = 'yard'
const foreign = 'office'
const absent = 'cellar'
const cameras = ['yard', 'office', 'door']
/** What a role allows by default, and `share`. */
const allow = ['live', 'audio', 'history', 'review', 'export', 'download', 'share']
const roles = { guard: { cameras: [own], allow }, clerk: ['door'] }
const guard = { role: 'custom', cameras: roles.guard.cameras, shares: true } as const
const proxySecret = 's'.repeat(40)

interface MatrixCaller {
  readonly who: TestCaller
  readonly client: TestClient
  /** A caller whose credentials the service refuses gets the response of an unauthenticated one. */
  readonly refused?: 401 | 403
  /** Has a session, which a request to sign out would end. */
  readonly session?: true
  /** A link belongs to an account in Gatehouse, which this user doesn't have. */
  readonly hasNoAccount?: true
}

let callers: Record<string, MatrixCaller>
let services: readonly Service[]
/** Ids of objects that belong to a camera, by the first segment below `/api` and then by camera. */
let idsOf: Record<string, Record<string, string>>
let resources: ReadonlyMap<string, TestResource>
/** A session of another user, and one that doesn't exist. */
let sessionIds: readonly [foreign: string, absent: string]
/** Routes that read a body. */
let withBody: ReadonlySet<string>

const newId = (): string => randomBytes(16).toString('hex')

/** Starts the services, and signs the callers in. */
export async function openAccessMatrix(): Promise<void> {
  const auth = { roles, failed_login_rate_limit: null }
  const header_map = { user: 'X-Forwarded-User', role: 'X-Forwarded-Groups' }
  const service = await startService({ config: { tls: { enabled: false }, auth } })
  const proxied = await startService({
    config: {
      tls: { enabled: false },
      auth: { ...auth, enabled: false },
      proxy: { auth_secret: proxySecret, header_map },
    },
  })
  services = [service, proxied]
  const expired = await expiredSession(service)
  const ids = { exports: idsByCamera(), review: idsByCamera() }
  const { [absent]: _absent, ...exports } = ids.exports
  for (const each of [service, proxied]) await seedExports(each, exports)
  for (const camera of cameras) {
    const id = ids.review[camera]!
    for (const each of [service, proxied]) await seedReview(each, [{ camera, id, jpeg: grayJpeg }])
  }
  idsOf = ids
  resources = new Map(
    Object.values(ids).flatMap((byCamera) =>
      Object.entries(byCamera).flatMap(([camera, id]) => (camera === absent ? [] : [[id, { camera }] as const])),
    ),
  )
  callers = {
    ...(await signedInCallers(service, expired)),
    ...proxyCallers(proxied),
  }
  const boris = await service.user('boris', 'admin')
  const [foreignSession] = (await boris.get('/api/sessions')).json as { id: string }[]
  sessionIds = [foreignSession!.id, newId()]
  const document = (await service.internal.get('/api/openapi.json')).json as OpenApi
  withBody = new Set(operationsOf(document).flatMap(({ route, requestBody }) => (requestBody ? [route] : [])))
  requireDeclaredCameras(document)
}

const idsByCamera = (): Record<string, string> =>
  Object.fromEntries([...cameras, absent].map((camera) => [camera, newId()]))

interface Operation {
  readonly requestBody?: object
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>
}

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ...operation,
    })),
  )

/** Routes that take names of cameras and show nothing of a camera. */
const namesOnly: Readonly<Record<string, string>> = {
  'GET /api/account/reads': 'a filter of what the caller has watched',
  'POST /api/tokens': 'the cameras to which a token is limited, within what its owner can see at the time of a request',
}

/** A route whose body or query has cameras declares that they are decided, or needs an action on the service. */
function requireDeclaredCameras(document: OpenApi): void {
  const undeclared = operationsOf(document).filter(({ route, requestBody, parameters = [] }) => {
    const { access = '' } = accessRows.find(({ method, path }) => `${method} ${path}` === route) ?? {}
    const isDecided = (of: string) => access.includes(`in the ${of}`) || /^`\w+\.\w+`$/.test(access)
    const inBody = /"(?:cameras?|filter)":\{/.test(JSON.stringify(requestBody ?? {}))
    const inQuery = parameters.some((one) => one.in === 'query' && /^cameras?$/.test(one.name))
    return !(route in namesOnly) && ((inBody && !isDecided('body')) || (inQuery && !isDecided('query')))
  })
  expect(undeclared.map(({ route }) => route)).toEqual([])
}

/** A client whose session has expired. The callers that sign in later have sessions of the new time. */
async function expiredSession(service: InProcessService): Promise<TestClient> {
  const client = await service.user('eddy', 'admin')
  service.clock.setWallTime(service.clock.now() + 2 * 86_400_000)
  return client
}

async function signedInCallers(service: Service, expired: TestClient): Promise<Record<string, MatrixCaller>> {
  const [vera, gill, carl, boris] = await Promise.all([
    service.user('vera', 'viewer'),
    service.user('gill', 'guard'),
    service.user('carl', 'clerk'),
    service.user('boris', 'admin'),
  ])
  const bearer = (client: TestClient) =>
    service.gate.with({ authorization: `Bearer ${String(client.headers['cookie']).split('=')[1]}` })
  const gills: TestCaller = { ...guard, name: 'gill' }
  return {
    'an unauthenticated caller': { who: {}, client: service.gate },
    'an expired cookie': { who: {}, client: expired },
    'an expired bearer token': { who: {}, client: bearer(expired) },
    'a viewer': { who: { name: 'vera', role: 'viewer' }, client: vera, session: true },
    'a custom role': { who: gills, client: gill, session: true },
    'a custom role, by bearer token': { who: gills, client: bearer(gill), session: true },
    'a custom role without the camera': {
      who: { name: 'carl', role: 'custom', cameras: roles.clerk },
      client: carl,
      session: true,
    },
    'an API token of a custom role': {
      who: { ...gills, isToken: true },
      client: service.gate.with(byToken((await createToken(gill)).token)),
    },
    'a screen': {
      who: { name: 'hall', role: 'custom', cameras: [own], isScreen: true },
      client: (await pairScreen(service, { name: 'hall', cameras: [own] })).client,
    },
    'an admin': { who: { name: 'boris', role: 'admin' }, client: boris, session: true },
    'the internal port': {
      who: { name: 'anonymous', role: 'admin' },
      client: service.internal,
      hasNoAccount: true,
    },
  }
}

const as = (user: string, role: string) => ({ 'x-forwarded-user': user, 'x-forwarded-groups': role })

function proxyCallers({ gate }: Service): Record<string, MatrixCaller> {
  const secret = { 'x-proxy-secret': proxySecret }
  const users: Record<string, MatrixCaller> = {
    'a proxy’s viewer': {
      who: { name: 'pia', role: 'viewer' },
      client: gate.with({ ...secret, ...as('pia', 'viewer') }),
    },
    'a proxy’s custom role': {
      who: { ...guard, name: 'paul' },
      client: gate.with({ ...secret, ...as('paul', 'guard') }),
    },
    'a proxy’s custom role without the camera': {
      who: { name: 'kim', role: 'custom', cameras: roles.clerk },
      client: gate.with({ ...secret, ...as('kim', 'clerk') }),
    },
    'a proxy’s admin': { who: { name: 'max', role: 'admin' }, client: gate.with({ ...secret, ...as('max', 'admin') }) },
    'a proxy’s user whom no role matches': {
      who: { name: 'noa', role: 'custom', cameras: [] },
      client: gate.with({ ...secret, ...as('noa', 'janitor') }),
      refused: 403,
    },
    'a proxy’s headers without its secret': { who: {}, client: gate.with(as('max', 'admin')), refused: 401 },
  }
  return Object.fromEntries(Object.entries(users).map(([name, user]) => [name, { ...user, hasNoAccount: true }]))
}

/** The same request for each camera, or for each resource of one, user or session. */
interface Target {
  readonly kind: 'own' | 'foreign' | 'absent' | 'only' | 'own and foreign' | 'own and absent'
  readonly url: string
  /** The name in the URL or the body that differs between kinds. */
  readonly name: string
  /** undefined: one that cannot be read, if the route reads one. */
  readonly body?: AllowedStatus & { readonly text: string; readonly cameras: readonly string[] }
}

/** The status of an allowed body that names only what exists. */
interface AllowedStatus {
  readonly allowed: number
  /** For a user without an account, where that differs. */
  readonly withoutAccount?: number
}

/** A body that names cameras, or objects of them. An allowed one changes nothing that is compared. */
interface BodyWithCameras extends AllowedStatus {
  /** undefined: the cameras themselves. */
  readonly objects?: 'exports' | 'review'
  /** It can name several. */
  readonly isList?: true
  readonly body: (names: readonly string[]) => object
}

const ofAccount = { withoutAccount: 409 } as const
const clip = { start: 1_700_000_000, end: 1_700_000_010 }

const bodies: Readonly<Record<string, readonly BodyWithCameras[]>> = {
  // Nothing was recorded there.
  'POST /api/exports': [{ allowed: 404, body: ([camera]) => ({ camera, ...clip }) }],
  'POST /api/links': [
    { ...ofAccount, allowed: 201, body: ([camera]) => ({ kind: 'live', camera }) },
    // Nothing was recorded there.
    { ...ofAccount, allowed: 404, body: ([camera]) => ({ kind: 'history', camera, ...clip }) },
    { ...ofAccount, allowed: 201, objects: 'exports', body: ([id]) => ({ kind: 'export', export: id }) },
  ],
  'PUT /api/review/seen': [
    { allowed: 204, isList: true, body: (names) => ({ seen: false, filter: { before: 1, cameras: names } }) },
    { allowed: 204, isList: true, objects: 'review', body: (ids) => ({ seen: false, ids }) },
  ],
}

/** A route whose body names a camera, with each of its bodies and each kind of camera. */
function bodyTargetsOf({ method, path, access }: Row): Target[][] {
  if (access.startsWith('open:') || !/in the body\b/.test(access)) return []
  const shapes = bodies[`${method} ${path}`]
  if (!shapes) throw new Error(`No body of ${method} ${path} names a camera: add some to bodies.`)
  return shapes.map(({ objects, isList, body, ...status }) => {
    const target = (kind: Target['kind'], cameraNames: readonly string[]): Target => {
      const names = cameraNames.map((camera) => (objects ? idsOf[objects]![camera]! : camera))
      return {
        kind,
        url: path,
        name: names.at(-1)!,
        body: { ...status, text: JSON.stringify(body(names)), cameras: cameraNames },
      }
    }
    const single = [target('own', [own]), target('foreign', [foreign]), target('absent', [absent])]
    if (!isList) return single
    return [...single, target('own and foreign', [own, foreign]), target('own and absent', [own, absent])]
  })
}

function targetsOf({ path, access }: Row): Target[] {
  const fill = (url: string) => url.replaceAll(/:(?:start|end|number)\b/g, '1').replaceAll(/:\w+/g, absent)
  const each = (names: readonly [own: string, foreign: string, absent: string], urlOf: (name: string) => string) =>
    (['own', 'foreign', 'absent'] as const).map((kind, at) => ({
      kind,
      url: fill(urlOf(names[at]!)),
      name: names[at]!,
    }))
  const only: Target = { kind: 'only', url: fill(path), name: absent }
  if (path.includes(':camera')) return each([own, foreign, absent], (name) => path.replace(':camera', name))
  if (access.includes('on the camera of the resource in the path')) {
    const ids = idsOf[path.split('/')[2]!]
    if (!ids) throw new Error(`No object of ${path} exists: add some to idsOf.`)
    return each([ids[own]!, ids[foreign]!, ids[absent]!], (id) => path.replace(':id', id))
  }
  if (access.includes("each camera in the query's `cameras`")) {
    const mixed = (kind: Target['kind'], name: string): Target => ({
      kind,
      url: `${path}?cameras=${own},${name}`,
      name,
    })
    return [
      only,
      ...each([own, foreign, absent], (name) => `${path}?cameras=${name}`),
      mixed('own and foreign', foreign),
      mixed('own and absent', absent),
    ]
  }
  const ownedBy = /^the caller's own \((path|query) `(\w+)`\)/.exec(access)
  if (!ownedBy) return [only]
  const [, of, parameter = ''] = ownedBy
  const names: readonly [string, string] = parameter === 'id' ? sessionIds : ['boris', 'karla']
  const named = (kind: 'foreign' | 'absent', name: string): Target => ({
    kind,
    url: fill(of === 'path' ? path.replace(`:${parameter}`, name) : `${path}?${parameter}=${name}`),
    name,
  })
  return [...(of === 'query' ? [only] : []), named('foreign', names[0]), named('absent', names[1])]
}

export interface Variant {
  readonly name: string
  readonly method?: string
  readonly headers: readonly string[]
}

/** A request as most clients send it. */
export const plain: readonly Variant[] = [{ name: 'plain', headers: [] }]

/** Other ways in which a request can be sent. None of them changes who is allowed. */
export const otherForms: readonly Variant[] = [
  { name: 'Range', headers: ['Range: bytes=0-1'] },
  { name: 'If-None-Match', headers: ['If-None-Match: *'] },
  { name: 'If-Modified-Since', headers: ['If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'] },
  { name: 'upgrade', headers: webSocketHandshake },
  { name: 'HEAD', method: 'HEAD', headers: [] },
  { name: 'OPTIONS', method: 'OPTIONS', headers: [] },
]

/** The body of a request that would change something: an allowed one changes nothing. */
const unreadable = { headers: ['Content-Type: application/json'], body: '{' }

/** Whether a request can change something even with {@link unreadable} as its body. */
function canChange({ method, path, access }: Row, { kind }: Target): boolean {
  if (method === 'GET' || access.startsWith('open:') || withBody.has(`${method} ${path}`)) return false
  const isAbsent = kind === 'absent' || (kind === 'only' && path.includes(':'))
  return !isAbsent && !path.endsWith('/auth')
}

interface Sent {
  readonly response: RawResponse
  readonly expected: ExpectedStatus
  readonly label: string
}

async function send(name: string, caller: MatrixCaller, row: Row, target: Target, variant: Variant): Promise<Sent> {
  const method = variant.method ?? row.method
  const { url } = target
  const expected = expectationOf(caller, method, target)
  const changes = !['GET', 'HEAD', 'OPTIONS'].includes(method) && !row.path.endsWith('/auth')
  const headers = [...variant.headers, ...(changes ? unreadable.headers : [])]
  const response = await rawRequest(caller.client, {
    method,
    target: url,
    headers,
    ...(changes && { body: target.body?.text ?? unreadable.body }),
    // An allowed response can be endless.
    headOnly: expected === 'pass',
  })
  return {
    response,
    expected,
    label: `${name}: ${method} ${url} ${target.body?.text ?? ''} (${variant.name}): ${response.status}`,
  }
}

function expectationOf({ who, refused }: MatrixCaller, method: string, { url, body }: Target): ExpectedStatus {
  if (refused === undefined) return expectedStatus(who, method, url, cameras, resources, body?.cameras)
  const isOpen = expectedStatus({}, method, url, cameras, resources) === 'pass'
  // Without the proxy's secret, only what isn't below /api and the health check remain.
  // Nothing but the cookie of a link counts there.
  if (method !== 'OPTIONS' && /^\/api\/links\/[^/]+\/(?!open$)/.test(url.replace(/\?.*/, ''))) return 401
  if (refused === 401) return isOpen && /^\/(?:api\/health|ca\.crt)$/.test(url) ? 'pass' : 401
  return isOpen ? 'pass' : 403
}

/** Without storing it, or as recorded media and lists: by the caller alone, who asks before each use. */
const cacheRule = /^cache-control: (?:no-store|private, no-store|private, no-cache)\r?$/im

/** What is wrong with one response. */
function problemOf(
  caller: MatrixCaller,
  row: Row,
  target: Target,
  variant: Variant,
  { response, expected }: Sent,
): string | undefined {
  const { status, head, body } = response
  if (expected === 401 || expected === 403) {
    if (status !== expected) return `expected ${expected}`
    if (/^(?:etag|last-modified|content-range|accept-ranges):/im.test(head)) return `describes what it denies: ${head}`
    return variant.method === 'HEAD' && body !== '' ? 'a body for HEAD' : undefined
  }
  if (expected === 'by body') return [400, 403].includes(status) ? undefined : 'expected 400 or 403'
  if (status === 0 || status === 401 || status === 403) return 'expected to be allowed'
  if (status >= 500 && status !== 503) return 'failed'
  if (status !== 101 && !cacheRule.test(head)) return `can be cached: ${head}`
  const isOfAbsent = target.kind === 'absent' || target.kind === 'own and absent'
  if (target.body) {
    const { allowed, withoutAccount = allowed } = target.body
    const exact = isOfAbsent ? 404 : caller.hasNoAccount ? withoutAccount : allowed
    return status === exact ? undefined : `expected ${exact}`
  }
  if (variant.method === 'OPTIONS') return status === 405 ? undefined : 'expected 405'
  if (variant.name === 'upgrade' && socketPaths.includes(row.path)) {
    if (!isOfAbsent) return status === 101 ? undefined : 'expected 101'
  }
  if (row.method === 'GET' || row.path.endsWith('/auth')) {
    const ofCamera = isOfAbsent && /on the camera|each camera/.test(row.access)
    if (ofCamera) return status === 404 ? undefined : 'expected 404'
    const isSeeded = row.access.includes('of the resource in the path')
    return isSeeded && status >= 400 ? 'expected what was seeded' : undefined
  }
  return status >= 400 || row.access.startsWith('open:') ? undefined : 'changed something'
}

/** A response without its date and the name that was requested. */
const comparable = ({ head, body }: RawResponse, { name }: Target): string =>
  `${head.replace(/^date: .*$/im, '')}\n${body}`.replaceAll(name, 'NAME')

/** All requests of one row by one caller. @returns what is wrong */
async function check(name: string, caller: MatrixCaller, row: Row, variants: readonly Variant[]): Promise<string[]> {
  // Would end the session of the next requests; the tests of tokens cover that.
  if (caller.session && row.path.endsWith('/logout')) return []
  const wrong: string[] = []
  const isGet = row.method === 'GET'
  for (const variant of variants) {
    if (!isGet && variant.method !== undefined) continue
    const groups = [targetsOf(row), ...(variant.name === 'plain' ? bodyTargetsOf(row) : [])]
    for (const group of groups) wrong.push(...(await checkGroup(name, caller, row, group, variant)))
  }
  return wrong
}

/** The requests that differ only in what they name. */
async function checkGroup(
  name: string,
  caller: MatrixCaller,
  row: Row,
  group: readonly Target[],
  variant: Variant,
): Promise<string[]> {
  const targets = group.filter(
    (target) => expectationOf(caller, row.method, target) !== 'pass' || !canChange(row, target),
  )
  const results = await Promise.all(targets.map((target) => send(name, caller, row, target, variant)))
  const wrong = results.flatMap((result, at) => {
    const problem = problemOf(caller, row, targets[at]!, variant, result)
    return problem === undefined ? [] : [`${result.label}: ${problem}`]
  })
  for (const [foreignKind, absentKind] of alike) {
    const [one, other] = [foreignKind, absentKind].map((kind) => targets.findIndex((target) => target.kind === kind))
    const [first, second] = [results[one!], results[other!]]
    if (!first || !second || first.expected !== second.expected || first.expected === 'pass') continue
    const [text, otherText] = [
      comparable(first.response, targets[one!]!),
      comparable(second.response, targets[other!]!),
    ]
    if (text !== otherText) wrong.push(`${first.label} differs from ${second.label}:\n${text}\n${otherText}`)
  }
  return wrong
}

/** What must not show which of the two exists. */
const alike = [
  ['foreign', 'absent'],
  ['own and foreign', 'own and absent'],
] as const

/** Users, roles and configuration, which no request here changes. When a screen was last seen is not compared. */
const stateOf = async (): Promise<string[]> => {
  const paths = ['/api/users', '/api/roles', '/api/config/raw', '/api/review', '/api/exports', '/api/screens']
  const responses = await Promise.all(services.flatMap(({ internal }) => paths.map((path) => internal.get(path))))
  return responses.map(({ text }) => text.replaceAll(/"last_seen_at":(?:"[^"]*"|null)/g, ''))
}

/** Sends every request of the table in these forms. Fails if a response is another one than the table says. */
export async function expectAccess(variants: readonly Variant[]): Promise<void> {
  const before = await stateOf()
  const wrong: string[] = []
  for (const [name, caller] of Object.entries(callers)) {
    for (let at = 0; at < accessRows.length; at += 6) {
      const rows = accessRows.slice(at, at + 6)
      wrong.push(...(await Promise.all(rows.map((row) => check(name, caller, row, variants)))).flat())
    }
  }
  expect(wrong).toEqual([])
  expect(await stateOf()).toEqual(before)
}
