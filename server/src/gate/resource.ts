import type { Decision, Resource } from '../access/decide.ts'
import { decide } from '../access/decide.ts'
import type { Grant } from '../access/grant.ts'
import type { Identity } from '../access/identity.ts'
import { ownValue } from '../access/own-value.ts'
import type {
  AccessRule,
  CamerasParameter,
  Concerned,
  Found,
  OwnerOf,
  Params,
  ResourcesOf,
  Sent,
  TimeOf,
} from '../access/rule.ts'

/** Looks up the cameras, the time and the owner a request names. Synchronous unless the rule needs a store. */
export function resolveResource(
  rule: AccessRule,
  sent: Sent,
  cameraExists: (name: string) => boolean,
): Resource | Promise<Resource> {
  if ('camera' in rule) return resolveCamera(rule, sent, cameraExists)
  if ('cameras' in rule) return resolveCameras(rule, sent, cameraExists)
  if ('service' in rule) return resolveService(rule, sent, cameraExists)
  return 'own' in rule ? ownerNamed(rule.own, sent.params, sent.query) : nothingNamed
}

function resolveCamera(
  rule: Extract<AccessRule, { camera: unknown }>,
  sent: Sent,
  cameraExists: (name: string) => boolean,
): Resource | Promise<Resource> {
  const { params, query, body } = sent
  const time = 'time' in rule ? timeIn(rule, sent) : undefined
  const known = (name: unknown): Resource => ({
    camera: existing(name, cameraExists),
    ...(time !== undefined && { time }),
  })
  if (rule.of === 'path') return known(params['camera'])
  if (rule.of === 'body') return known((body as { camera?: unknown } | undefined)?.camera)
  const found = (typeof rule.of === 'object' ? rule.of.inBody(body) : rule.of(params as Params)).then((one) =>
    typeof one === 'object' ? { ...known(one.camera), time: one.time } : known(one),
  )
  if (!('own' in rule)) return found
  return Promise.all([found, ownerNamed(rule.own, params, query)]).then(([camera, owner]) => ({ ...camera, ...owner }))
}

function resolveCameras(
  rule: Extract<AccessRule, { cameras: unknown }>,
  sent: Sent,
  cameraExists: (name: string) => boolean,
): Resource | Promise<Resource> {
  const list = rule.requested && requestedCameras(rule.requested, sent.query, sent.body)
  const requested = list?.map((name) => existing(name, cameraExists))
  const time = timeIn(rule, sent)
  const resources = rule.resources && camerasOfResources(rule.resources, sent.body)
  if (!resources) return { requested, ...(time !== undefined && { time }) }
  return resources.then((found) => {
    const times = [time, ...found.map((one) => (typeof one === 'object' ? one.time : undefined))]
    const named = found.map((one) => existing(typeof one === 'object' ? one.camera : one, cameraExists))
    return { requested: [...(requested ?? []), ...named], ...earliest(times) }
  })
}

function resolveService(
  rule: Extract<AccessRule, { service: unknown }>,
  sent: Sent,
  cameraExists: (name: string) => boolean,
): Resource | Promise<Resource> {
  const about = resolveAbout(rule, sent, cameraExists)
  if (!rule.user) return about
  return Promise.all([about, ownerNamed(rule.user, sent.params, sent.query)]).then(([cameras, user]) => ({
    ...cameras,
    ...user,
  }))
}

function resolveAbout(
  { about }: Extract<AccessRule, { service: unknown }>,
  sent: Sent,
  cameraExists: (name: string) => boolean,
): Resource | Promise<Resource> {
  if (typeof about === 'string') return nothingNamed
  const named = (found: Concerned): Resource => ({
    about: found === 'all-cameras' ? found : found.map((name) => existing(name, cameraExists)),
  })
  const found = about.find(sent)
  return found instanceof Promise ? found.then(named) : named(found)
}

/** A value that is not a number names no time: the request is invalid, or its handler leaves out what is too old. */
function timeIn({ time }: { readonly time?: TimeOf }, sent: Sent): number | undefined {
  const named = time?.(sent)
  return named === undefined || Number.isNaN(named) ? undefined : named
}

/** One resource that is too old is enough. */
function earliest(times: readonly (number | undefined)[]): { time?: number } {
  const named = times.filter((time) => time !== undefined)
  return named.length > 0 ? { time: Math.min(...named) } : {}
}

const existing = (name: unknown, cameraExists: (name: string) => boolean): string | undefined =>
  typeof name === 'string' && cameraExists(name) ? name : undefined

/** undefined if the request names no cameras. An invalid value counts as a camera that does not exist. */
function requestedCameras(
  { of, name }: CamerasParameter,
  query: Sent['query'],
  body: unknown,
): readonly unknown[] | undefined {
  const value = of === 'query' ? query[name] : ownValue(body, name)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && of === 'query') return value.split(',')
  return Array.isArray(value) ? value : [undefined]
}

/** undefined if the request names no resources. An invalid value counts as a resource that does not exist. */
function camerasOfResources(
  { name, find }: ResourcesOf,
  body: unknown,
): Promise<readonly (Found | undefined)[]> | undefined {
  const value = ownValue(body, name)
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return Promise.resolve([undefined])
  return find(value)
}

function ownerNamed(own: OwnerOf, params: Sent['params'], query: Sent['query']): Resource | Promise<Resource> {
  const value = (own.of === 'path' ? params : query)[own.name]
  if (value === undefined) return { owner: 'self' }
  // A parameter that is given twice names no owner.
  if (typeof value !== 'string') return { owner: undefined }
  return own.find(value).then((owner) => ({ owner }))
}

const nothingNamed: Resource = {}

/** The resource found when the request was authorized, without cameras that have been removed since. */
export const withoutRemovedCameras = (named: Resource, cameraExists: (name: string) => boolean): Resource => {
  if (named.requested) return { ...named, requested: named.requested.map((name) => existing(name, cameraExists)) }
  return named.camera === undefined || cameraExists(named.camera) ? named : { ...named, camera: undefined }
}

/** Whether a rule can be decided only after the body is read. */
export const isDecidedByBody = (rule: AccessRule): boolean =>
  'camera' in rule
    ? rule.of === 'body' || typeof rule.of === 'object'
    : 'cameras' in rule
      ? rule.requested?.of === 'body' || rule.resources !== undefined
      : 'service' in rule && typeof rule.about === 'object' && rule.about.of === 'body'

/** The part of the decision that is possible before the body is read: whether any camera could be allowed. */
export function decideBeforeBody(rule: AccessRule, identity: Identity, grant: Grant): Decision {
  if ('camera' in rule) return decide({ cameras: rule.camera }, identity, grant)
  return decide('service' in rule ? { service: rule.service, about: 'no-camera' } : rule, identity, grant)
}
