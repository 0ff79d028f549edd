import type { Decision, Named } from '../access/decide.ts'
import { decide } from '../access/decide.ts'
import type { Grant } from '../access/grant.ts'
import type { Identity } from '../access/identity.ts'
import type { AccessRule, Params } from '../access/rule.ts'

/** What of a request a rule may look at. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** undefined before it is read. */
  readonly body?: unknown
}

/** Looks up what a request names. Synchronous where nothing has to be asked for. */
export function namedBy(
  rule: AccessRule,
  { params, query, body }: Asked,
  cameraExists: (name: string) => boolean,
): Named | Promise<Named> {
  if ('camera' in rule) {
    const known = (name: unknown): Named =>
      typeof name === 'string' && cameraExists(name) ? { camera: name } : { camera: undefined }
    if (rule.of === 'path') return known(params['camera'])
    if (rule.of === 'body') return known((body as { camera?: unknown } | undefined)?.camera)
    return rule.of(params as Params).then(known)
  }
  if ('own' in rule) {
    const value = (rule.own.of === 'path' ? params : query)[rule.own.name]
    if (value === undefined) return { owner: 'self' }
    // A parameter that is given twice names nobody.
    if (typeof value !== 'string') return { owner: undefined }
    return rule.own.find(value).then((owner) => ({ owner }))
  }
  return nothingNamed
}

const nothingNamed: Named = {}

/** What was found once, as it stands now: a camera that is gone is nobody's. */
export const namedStill = (named: Named, cameraExists: (name: string) => boolean): Named =>
  named.camera === undefined || cameraExists(named.camera) ? named : nothingNamed

/** Whether a decision has to wait for the body. */
export const isDecidedByBody = (rule: AccessRule): boolean => 'camera' in rule && rule.of === 'body'

/** What can be decided before the body is read: whether any camera could be allowed at all. */
export function decideBeforeBody(rule: AccessRule, identity: Identity, grant: Grant): Decision {
  return decide('camera' in rule ? { cameras: rule.camera } : rule, identity, grant)
}
