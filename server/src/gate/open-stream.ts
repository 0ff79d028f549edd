import { decide, type Decision } from '../access/decide.ts'
import { allows, isValidAt } from '../access/grant.ts'
import { grantOfIdentity } from '../access/identity-grant.ts'
import { credentialOf, type Identity } from '../access/identity.ts'
import { partsOf, type AccessRule } from '../access/rule.ts'
import { userKeyOf, type Caller } from '../http/caller.ts'
import type { EndReason } from '../http/response.ts'
import { ServiceError } from '../shared/errors.ts'
import { addressKey } from '../shared/http/address-key.ts'
import type { GateReasons } from './reasons.ts'
import type { RoutedContext } from './request-context.ts'
import { withoutRemovedCameras } from './resource.ts'
import type { RouteDeps } from './server-deps.ts'

/** Milliseconds for a client to receive the last message and answer the closing handshake. */
export const closingTime = 500

/**
 * Registers a streaming response as an open stream of its caller.
 *
 * @param end ends the response when its permission has ended
 * @returns a function to call when the response has ended
 */
export function registerStream(context: RoutedContext, deps: RouteDeps, end: (reason: EndReason) => void): () => void {
  return deps.openStreams.register({
    authentication: context.authentication,
    owners: deps.streamsPerUser && limitsOf(context).flatMap(({ owner, onRoute }) => [owner, onRoute]),
    route: context.route,
    isCurrent: (now) => isValidAt(context.grant, now),
    reauthorize: reauthorize(context, deps),
    end,
  })
}

interface StreamLimit {
  /** The key that counts the open streams of all routes. */
  readonly owner: string
  /** The key that counts those of one route. */
  readonly onRoute: string
  /** How many times the limit they can have. */
  readonly times: number
}

/**
 * Whose open streams are counted: the user's, for a token, screen or link those of this one, and for unauthenticated and
 * anonymous callers those of their IP address.
 *
 * A user and the user's API tokens also count together, because each token would have the whole limit again otherwise.
 * Together they have one and a half times the limit: neither the user's pages nor a single token can take all of it.
 *
 * Of one route, each address has its own count with a share link. A link with many viewers has more of them, and a
 * viewer can't get more by opening the link again.
 */
function limitsOf(caller: Caller): readonly StreamLimit[] {
  const user = userKeyOf(caller)
  const credential = credentialOf(caller.identity)
  const owner = credential ? `${credential.kind} ${credential.id}` : user
  const onRoute = credential?.kind === 'link' ? `${owner} ${addressKey(caller.client.address)}` : owner
  const own = { owner, onRoute, times: 1 }
  if (credential && credential.kind !== 'token') return [own]
  const together = `all of ${user}`
  return [own, { owner: together, onRoute: together, times: 1.5 }]
}

/** @throws ServiceError `too-many-attempts` if the caller has reached `http.streams_per_user` or the limit of the route. */
export function requireFreeStream(context: RoutedContext, { openStreams, streamsPerUser }: RouteDeps): void {
  if (!streamsPerUser) return
  const { route } = context
  const ofAll = streamsPerUser()
  const ofRoute = route.stream?.maxPerUser()
  for (const { owner, onRoute, times } of limitsOf(context)) {
    const max = Math.ceil(ofAll * times)
    const together = times > 1 ? ' It applies to a user and the API tokens of the user together.' : ''
    if (openStreams.countOf(owner) >= max)
      throw tooManyStreams('too-many-streams', max, `The limit comes from http.streams_per_user.${together}`)
    if (ofRoute === undefined) continue
    const maxOfRoute = Math.ceil(ofRoute * times)
    if (openStreams.countOf(onRoute, route) >= maxOfRoute)
      throw tooManyStreams('too-many-streams-of-kind', maxOfRoute, `This is the limit for ${route.path}.${together}`)
  }
}

const tooManyStreams = (
  reason: 'too-many-streams' | 'too-many-streams-of-kind',
  max: number,
  note: string,
): ServiceError =>
  new ServiceError<GateReasons>('too-many-attempts', {
    reason,
    values: { max },
    note,
    retryAfter: 10,
  })

/** Repeats the decision that allowed the request, for the caller's current identity. */
function reauthorize(context: RoutedContext, { roles, cameraExists }: RouteDeps) {
  const { access } = context.route
  const { resource: named } = context
  const had = partsOf(access).filter((part) => allows(context.grant, part))
  const { history = Infinity } = context.grant
  return (identity: Identity): Decision | 'recheck' => {
    const grant = grantOfIdentity(roles(), identity)
    const still = withoutRemovedCameras(named, cameraExists)
    const decision = decide(access, identity, grant, still)
    if (decision !== 'allow') return decision
    // A response that is being sent can lose neither its audio (GRANT-2) nor what is now too old (GRANT-3). The client's
    // next request gets it without.
    if ('camera' in access && had.some((part) => !allows(grant, part))) return 'recheck'
    if (isRecorded(access) && (grant.history ?? Infinity) < history) return 'recheck'
    context.reauthorized(grant, still)
    return decision
  }
}

/** Whether a response consists of recorded video. */
const isRecorded = (rule: AccessRule): boolean =>
  'camera' in rule && (rule.camera === 'history' || rule.camera === 'download')
