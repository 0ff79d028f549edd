import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A caller, as the table of routes describes them. */
export interface TestCaller {
  /** undefined: unauthenticated. */
  readonly name?: string
  readonly role?: 'admin' | 'viewer' | 'custom'
  /** The cameras of a custom role. */
  readonly cameras?: readonly string[]
  /** Whether a custom role allows `share`. */
  readonly shares?: true
  /** A paired screen: `live` and nothing else, on the cameras of a custom role. */
  readonly isScreen?: true
  /** An API token without actions on the service: what its owner can on cameras, and no accounts. */
  readonly isToken?: true
}

/** An existing object in a path: its camera, and the name of the user who owns it. */
export interface TestResource {
  readonly camera: string
  readonly owner?: string
}

export interface Row {
  readonly method: string
  readonly path: string
  readonly access: string
}

/**
 * `pass`: the request reaches its route, whose response may also be 404.
 * `by body`: 403 or `pass`, depending on the body.
 */
export type ExpectedStatus = 401 | 403 | 'pass' | 'by body'

const page = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'docs/access.md'), 'utf8')

/** Without what parts of a response need: a caller without them gets the rest. */
const wholeResponse = (access: string): string =>
  access
    .replace(/; (?:parts of it need|what it gives to others also needs) .*$/, '')
    .replace(/; also before a required second factor is set up$/, '')
    // No token of the tables has an action on the service.
    .replace(/; (?:by a token for some cameras, on these only|not by a token for some cameras)$/, '')

/** docs/access.md, which CI keeps equal to the routes and people read when it changes. */
export const accessRows: readonly Row[] = [...page.matchAll(/^\| ([A-Za-z]+) \| `([^`]+)` \| (.+?) \| /gm)].map(
  ([, method = '', path = '', access = '']) => ({
    method: method === 'WebSocket' ? 'GET' : method,
    path,
    access: wholeResponse(access),
  }),
)

/** Paths whose GET changes something: there, HEAD is a method without a route. */
const withoutHead: ReadonlySet<string> = new Set(
  (/ not where GET changes something: (.*)\. /.exec(page)?.[1] ?? '').match(/(?<=`)\/[^`]+(?=`)/g),
)

/** Whether a request to this path can become a WebSocket. */
export const socketPaths: readonly string[] = [...page.matchAll(/^\| WebSocket \| `([^`]+)`/gm)].map(
  ([, path]) => path!,
)

/** Finds the row of a request independently of the router: whole segments, decoded once, literal ones before `:` ones. */
function rowOf(method: string, url: string): { row: Row; params: Map<string, string> } | undefined {
  const requested = segmentsOf(url)
  const reading = method === 'HEAD' ? 'GET' : method
  const found = accessRows
    .filter((row) => row.method === reading && !(method === 'HEAD' && withoutHead.has(row.path)))
    .flatMap((row) => {
      const required = row.path.split('/').slice(1)
      if (required.length !== requested.length) return []
      const fits = required.every((each, at) => (each.startsWith(':') ? requested[at] !== '' : each === requested[at]))
      if (!fits) return []
      const params = required.flatMap((each, at) =>
        each.startsWith(':') ? [[each.slice(1), requested[at]!] as const] : [],
      )
      return [{ row, params: new Map(params) }]
    })
  return found.sort((one, other) => one.params.size - other.params.size)[0]
}

/**
 * The expected outcome of a request by the table; ambiguous paths are out of its scope.
 *
 * @param resources the objects of cameras that exist, by their ids
 * @param inBody the cameras that the body names, also by their objects; undefined: unknown
 */
export function expectedStatus(
  caller: TestCaller,
  method: string,
  url: string,
  cameras: readonly string[],
  resources: ReadonlyMap<string, TestResource> = new Map(),
  inBody?: readonly string[],
): ExpectedStatus {
  const found = rowOf(method, url)
  const isUnauthenticated = caller.name === undefined
  if (!found) return isApi(url) && isUnauthenticated ? 401 : 'pass'
  const { row, params } = found
  if (row.access.startsWith('open:')) return 'pass'
  // No caller of the tests shows the cookie of a link, and nothing else counts there.
  if (isUnauthenticated || isForLinks(row.access)) return 401
  const all = caller.role !== 'custom'
  const admin = caller.role === 'admin'
  if (caller.isScreen && !isForScreens(row.access)) return 403
  if (caller.isToken && isOfAccount(row.access)) return 403
  const own = /^the caller's own \((path|query) `(\w+)`\), or `[\w.]+`$/.exec(row.access)
  if (own) {
    const [, of, name = ''] = own
    const values = of === 'path' ? [params.get(name)!] : queryOf(url).getAll(name)
    const named = values.length === 1 && values[0]!.toLowerCase() === caller.name.toLowerCase()
    // A session's id does not show its owner, and no id that the tests generate exists.
    const mine = values.length === 0 || (name !== 'id' && named)
    return admin || mine ? 'pass' : 403
  }
  // `/api/auth`: without a forwarded URL it is about another program, which no token opens.
  if (row.access === 'signed in, except screens') return caller.isToken ? 403 : 'pass'
  if (/^signed in(, without a token.*)?$/.test(row.access)) return 'pass'
  const filtered =
    /^(?:any action|`\w+`), filtered to the caller's cameras(?:; each camera in the query's `(\w+)` must be.*?)?(?:; details with `[\w.]+`)?$/.exec(
      row.access,
    )
  if (filtered) {
    const [, name] = filtered
    const named = name === undefined ? [] : queryOf(url).getAll(name)
    const every = named.flatMap((each) => each.split(','))
    return all || every.every((each) => cameras.includes(each) && caller.cameras?.includes(each)) ? 'pass' : 403
  }
  // Only admins delete.
  const lacksAction = row.access.startsWith('`delete`') || (row.access.startsWith('`share`') && !caller.shares)
  if (lacksAction) return admin ? 'pass' : 403
  if (/ in the body(?:'s .*)?$/.test(row.access)) {
    if (all) return 'pass'
    const isAllowed = inBody?.every((each) => cameras.includes(each) && caller.cameras?.includes(each))
    return isAllowed === undefined ? 'by body' : isAllowed ? 'pass' : 403
  }
  if (/^(?:any action|`\w+`) on the camera in the path$/.test(row.access)) {
    const camera = params.get('camera')!
    return all || (cameras.includes(camera) && caller.cameras?.includes(camera)) ? 'pass' : 403
  }
  const ofResource = /^`\w+` on the camera of the resource in the path(; and the caller's own.*)?$/.exec(row.access)
  if (ofResource) {
    const resource = resources.get(params.get('id')!)
    if (!all && !(resource && caller.cameras?.includes(resource.camera))) return 403
    const othersOnly = ofResource[1] !== undefined && resource !== undefined && resource.owner !== caller.name
    return othersOnly && !admin ? 403 : 'pass'
  }
  if (/^`[\w.]+`$/.test(row.access)) return admin ? 'pass' : 403
  throw new Error(`The tests do not know this kind of access yet: ${row.access}`)
}

const isForLinks = (access: string): boolean => access.includes(' by a share link, ')

/** Whether a screen reaches a route at all: its profile and what else any caller has, and live video. */
const isForScreens = (access: string): boolean =>
  access === 'signed in' || /^(?:any action|`live`)(?: on the camera|, filtered)/.test(access)

/** Whether a route is about the caller's own account, which no token manages by itself (KEY-4). */
const isOfAccount = (access: string): boolean =>
  access.startsWith('signed in, without a token') || access.startsWith("the caller's own (")

export const isRoute = (method: string, url: string): boolean => rowOf(method, url) !== undefined

/** The expected response of `/api/auth` for a path without a route. */
export function expectedForUnknown(caller: TestCaller, url: string, cameras: readonly string[]): 202 | 401 | 403 {
  if (caller.name === undefined) return 401
  const [first, second, camera = '', ...below] = segmentsOf(url).map((segment) => segment.split(';')[0]!)
  if (first !== 'api' || second === undefined) return 202
  if (second !== 'cameras' || below.length === 0) return caller.role === 'admin' ? 202 : 403
  if (caller.isScreen) return 403
  const sees = caller.role !== 'custom' || (cameras.includes(camera) && caller.cameras?.includes(camera))
  return sees ? 202 : 403
}

const pathOf = (url: string): string => url.split('?')[0]!
const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.slice(pathOf(url).length + 1))
const segmentsOf = (url: string): string[] => pathOf(url).split('/').slice(1).map(decodeURIComponent)

const isApi = (url: string): boolean => {
  const [first, ...rest] = segmentsOf(url)
  return first === 'api' || ((first === 'auth' || first === 'logout') && rest.length === 0)
}
