import { Type } from 'typebox'
import type { Invalidation } from '../../access/invalidation.ts'
import { principalOf } from '../../access/identity.ts'
import { listIn } from '../../access/rule.ts'
import { auditEntry, actorOf, type Caller } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import type { Audit } from '../../shared/audit/audit.ts'
import { auditLimited } from '../../shared/audit/limited-attempt.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { codeOf, ServiceError } from '../../shared/errors.ts'
import type { Random } from '../../shared/random.ts'
import { userAgentOf } from '../../shared/http/request-meta.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'
import { displayName } from '../../shared/http/text-field.ts'
import type { AuthReasons } from '../reasons.ts'
import type { Pairings } from './pairings.ts'
import { screenCookie } from './screen-cookie.ts'
import { keysOf, requireLiveAndAudio, shownParts, type ScreenInputDeps } from './screen-input.ts'
import { defaultLayout } from './screen-layout.ts'
import { ScreenResponse, screenResponse, type ScreenResponseDeps } from './screen-response.ts'
import { ConfirmedPairing, PairingCode, StartedPairing, WaitingDisplay } from './screen-schema.ts'
import { tokenIdOf } from '../api-token/created-by-token.ts'
import type { Screen, ScreenStore } from './screen-store.ts'
import { newId } from '../../shared/random-id.ts'

export interface PairingRoutesDeps extends ScreenInputDeps, Pick<ScreenResponseDeps, 'screens'> {
  readonly store: Pick<ScreenStore, 'confirm'>
  readonly pairings: Pairings
  readonly publish: (invalidation: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
}

/** Screens that can exist. */
const maxScreens = 500
/** Milliseconds in which a display gets its cookie, if an admin confirms in the last moment. */
const pickUpTime = 60_000

/** Routes to pair a display, which makes it a screen: those of the display, and those of the admin (KEY-6). */
export const pairingRoutes = (deps: PairingRoutesDeps): Route[] => [...displayRoutes(deps), ...confirmRoutes(deps)]

function displayRoutes({ pairings, publish }: PairingRoutesDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/pairings',
      access: { open: 'a display has no identity before it is paired' },
      schema: { summary: 'Start to pair a display.', response: { 201: StartedPairing } },
      async handle(_input, { client, meta, isProxied }) {
        // The cookie would have no effect while a proxy authenticates the request.
        if (isProxied) throw new ServiceError<AuthReasons>('not-found', { reason: 'proxy-auth-enabled' })
        const { id, code, expiresAt } = await pairings.start(client.address, userAgentOf(meta))
        return respond({ status: 201, body: { id, code, expires_at: timestampOf(expiresAt) } })
      },
    }),
    route({
      method: 'GET',
      path: '/api/pairings/:id',
      access: { open: 'the id is a secret of the display' },
      sameOriginOnly: true,
      schema: {
        summary: 'Get the result of a pairing. 202 while it waits; 200 and the cookie of the screen, once; then 410.',
        params: Type.Object({ id: Type.String({ description: 'A malformed id is an unknown one: 410.' }) }),
        otherResponses: { 200: null, 202: null },
      },
      async handle({ params: { id } }, caller) {
        const { client } = caller
        const result = await pairings.poll(id, client.address, (screen) =>
          auditEntry(caller, 'screen.connect', screen.id, screen.name),
        )
        if (result === 'waiting') return respond({ status: 202 })
        // An access preview can have cached the screen without its secret.
        publish({ kind: 'credential', id: result.id })
        return respond({ status: 200, headers: { 'set-cookie': screenCookie(result, client) } })
      },
    }),
  ]
}

function confirmRoutes(deps: PairingRoutesDeps): Route[] {
  const { store, pairings, audit, clock, random } = deps
  /** AUD-2: wrong codes. Never the code itself, which could be one of another display. */
  const audited = async <Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> => {
    const attempted = { ...actorOf(caller), action: 'screen.create', target: null } as const
    try {
      return await auditLimited(audit, attempted, work)
    } catch (error) {
      if (codeOf(error) === 'not-found') audit.record({ ...attempted, result: 'failure', detail: 'wrong-pairing-code' })
      throw error
    }
  }

  return [
    route({
      method: 'POST',
      path: '/api/pairings/find',
      access: { service: 'screens.manage', about: 'no-camera' },
      confirm: { never: 'it changes nothing' },
      schema: {
        summary: 'Get the display that waits with a code. A wrong code counts as a failed login.',
        body: PairingCode,
        response: { 200: WaitingDisplay },
      },
      handle: ({ body: { code } }, caller) =>
        audited(caller, () =>
          pairings.withCode(code, caller.client.address, ({ address, userAgent, createdAt, expiresAt }) =>
            Promise.resolve({
              address,
              user_agent: userAgent,
              requested_at: timestampOf(createdAt),
              expires_at: timestampOf(expiresAt),
            }),
          ),
        ),
    }),
    route({
      method: 'POST',
      path: '/api/pairings/confirm',
      access: {
        service: 'screens.manage',
        about: { of: 'body', find: (sent) => listIn(sent, 'cameras') },
        parts: shownParts,
      },
      confirm: true,
      schema: {
        summary: 'Confirm the code of a display, which becomes a screen. A wrong code counts as a failed login.',
        body: ConfirmedPairing,
        response: { 201: ScreenResponse },
      },
      async handle({ body: { code, name, cameras, audio = false, layout } }, caller) {
        requireLiveAndAudio(audio, caller)
        const screen: Screen = {
          id: newId(random),
          name: displayName('name', name),
          cameras: keysOf(cameras, deps),
          audio,
          layout: { ...defaultLayout, ...layout },
          secretHash: null,
          confirmedBy: principalOf(caller.identity).name,
          tokenId: tokenIdOf(caller),
          createdAt: clock.now(),
          lastSeenAt: null,
          address: null,
        }
        const entry = auditEntry(caller, 'screen.create', screen.id, `${screen.name}: ${cameras.join(', ')}`)
        const limits = { pickUpUntil: screen.createdAt + pickUpTime, max: maxScreens }
        const result = await audited(caller, () =>
          pairings.withCode(code, caller.client.address, async (pairing) => {
            // An attempt waits for its turn.
            await caller.authorizeAgain()
            return store.confirm(pairing.code, screen, entry, limits)
          }),
        )
        if (result === 'revoked') throw new ServiceError('unauthenticated')
        if (result === 'full') {
          throw new ServiceError<AuthReasons>('conflict', { reason: 'too-many-screens', values: { max: maxScreens } })
        }
        return respond({ status: 201, body: await screenResponse(screen, deps) })
      },
    }),
  ]
}
