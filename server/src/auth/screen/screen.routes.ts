import { Type } from 'typebox'
import type { Invalidation } from '../../access/invalidation.ts'
import { allInScope } from '../../access/grant.ts'
import { credentialOf, known } from '../../access/identity.ts'
import { listIn, type Concerned, type Sent } from '../../access/rule.ts'
import { respond, auditEntry, route, who, type Caller, type Route } from '../../http/route.ts'
import type { Audit } from '../../shared/audit/audit.ts'
import type { CameraKey, CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import { codeOf, invalidField, ServiceError } from '../../shared/errors.ts'
import type { Random } from '../../shared/random.ts'
import { userAgentOf } from '../../shared/http/request-meta.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'
import type { AuthReasons } from '../reasons.ts'
import type { Pairings } from './pairings.ts'
import { screenCookie, screenIn } from './screen-cookie.ts'
import { defaultLayout } from './screen-layout.ts'
import { OwnScreen, ownScreenResponse, ScreenResponse, screenResponse } from './screen-response.ts'
import { IdPath } from '../../shared/http/id-path.ts'
import { ConfirmedPairing, PairingCode, ScreenBody, StartedPairing, WaitingDisplay } from './screen-schema.ts'
import { tokenIdOf } from '../api-token/created-by-token.ts'
import { camerasOf, type Screens } from './screens.ts'
import type { Screen, ScreenChange, ScreenStore } from './screen-store.ts'
import { newId } from '../../shared/random-id.ts'

export interface ScreenRoutesDeps {
  readonly store: Pick<ScreenStore, 'screens' | 'screensById' | 'confirm' | 'change' | 'revoke'>
  readonly screens: Pick<Screens, 'byId' | 'hasEnded'>
  readonly pairings: Pairings
  readonly keys: CameraKeys
  readonly cameraExists: (name: string) => boolean
  readonly publish: (fact: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
}

/** Screens that can exist. */
const maxScreens = 500
/** Milliseconds in which a display gets its cookie, if an admin confirms in the last moment. */
const pickUpTime = 60_000

/** Routes to pair displays, and to list, change and revoke screens (KEY-6). */
export const screenRoutes = (deps: ScreenRoutesDeps): Route[] => [
  ...displayRoutes(deps),
  ...confirmRoutes(deps),
  listRoute(deps),
  ...manageRoutes(deps),
]

const manage = { service: 'screens.manage' } as const
const ofNone = { ...manage, about: 'no-camera' } as const
/** What a screen shows is no more than what the caller sees and hears. */
const shows = { ...manage, parts: ['live', 'audio'] } as const

function displayRoutes({ pairings, screens, keys, publish }: ScreenRoutesDeps): Route[] {
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
    route({
      method: 'GET',
      path: '/api/screen',
      access: { signedIn: true },
      schema: {
        summary: 'Get the paired screen that sends the request, and renew its cookie. 404 for any other caller.',
        response: { 200: OwnScreen },
      },
      async handle(_input, { identity, client, meta }) {
        const credential = credentialOf(identity)
        const screen = credential?.kind === 'screen' ? await screens.byId(credential.id) : undefined
        if (!screen) throw new ServiceError<AuthReasons>('not-found', { reason: 'no-such-screen' })
        const shown = screenIn(meta)
        return respond({
          status: 200,
          body: ownScreenResponse(screen, keys),
          headers: typeof shown === 'object' ? { 'set-cookie': screenCookie(shown, client) } : {},
        })
      },
    }),
  ]
}

function confirmRoutes(deps: ScreenRoutesDeps): Route[] {
  const { store, pairings, audit, clock, random } = deps
  /** AUD-2: wrong codes. Never the code itself, which could be one of another display. */
  const audited = async <Result>(caller: Caller, work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const code = codeOf(error)
      const entry = { ...who(caller), action: 'screen.create', target: null } as const
      if (code === 'not-found') audit.record({ ...entry, result: 'failure', detail: 'wrong-pairing-code' })
      else if (code === 'too-many-attempts') audit.record({ ...entry, result: 'denied', detail: code })
      throw error
    }
  }

  return [
    route({
      method: 'POST',
      path: '/api/pairings/find',
      access: ofNone,
      confirm: { never: 'it changes nothing' },
      schema: {
        summary: 'Get the display that waits with a code. A wrong code counts as a failed login.',
        body: PairingCode,
        response: { 200: WaitingDisplay },
      },
      handle: ({ body: { code } }, caller) =>
        audited(
          caller,
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
      access: { ...shows, about: { of: 'body', find: (sent) => listIn(sent, 'cameras') } },
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
          name: nameFrom(name),
          cameras: keysOf(cameras, deps),
          audio,
          layout: { ...defaultLayout, ...layout },
          secretHash: null,
          confirmedBy: known(caller.identity).name,
          tokenId: tokenIdOf(caller),
          createdAt: clock.now(),
          lastSeenAt: null,
          address: null,
        }
        const entry = auditEntry(caller, 'screen.create', screen.id, `${screen.name}: ${cameras.join(', ')}`)
        const limits = { pickUpUntil: screen.createdAt + pickUpTime, max: maxScreens }
        const confirmed = pairings.withCode(code, caller.client.address, async (pairing) => {
          // An attempt waits for its turn.
          await caller.authorizeAgain()
          return store.confirm(pairing.code, screen, entry, limits)
        })
        const result = await audited(caller, confirmed)
        if (result === 'revoked') throw new ServiceError('unauthenticated')
        if (result === 'full') {
          throw new ServiceError<AuthReasons>('conflict', { reason: 'too-many-screens', values: { max: maxScreens } })
        }
        return respond({ status: 201, body: await screenResponse(screen, deps) })
      },
    }),
  ]
}

const listRoute = (deps: ScreenRoutesDeps): Route =>
  route({
    method: 'GET',
    path: '/api/screens',
    access: ofNone,
    schema: {
      summary: 'List the paired screens by name; to a token for some cameras, those that show no other.',
      response: { 200: Type.Array(ScreenResponse) },
    },
    async handle(_input, { scope }) {
      const screens = await deps.store.screens()
      const listed = screens.filter((screen) => allInScope(scope, camerasOf(screen, deps.keys)))
      return Promise.all(listed.map((screen) => screenResponse(screen, deps)))
    },
  })

function manageRoutes(deps: ScreenRoutesDeps): Route[] {
  const { store, keys, publish } = deps
  /** Without those that were removed: the screen shows nothing of them. */
  const camerasBefore = async ({ params: { id } }: Sent): Promise<readonly (string | undefined)[]> => {
    const [screen] = await store.screensById(typeof id === 'string' ? [id] : [])
    return screen ? camerasOf(screen, keys) : [undefined]
  }
  const camerasBeforeAndAfter = async (sent: Sent): Promise<Concerned> => {
    const before = await camerasBefore(sent)
    return before.length === 0 ? 'all-cameras' : [...before, ...listIn(sent, 'cameras')]
  }

  return [
    route({
      method: 'PATCH',
      path: '/api/screens/:id',
      access: { ...shows, about: { of: 'body', find: camerasBeforeAndAfter } },
      confirm: true,
      schema: {
        summary: 'Change the name, the cameras or the layout of a screen.',
        params: IdPath,
        body: ScreenBody,
        response: { 200: ScreenResponse },
      },
      async handle({ params: { id }, body }, caller) {
        const { name, cameras, audio, layout } = body
        const [before] = await store.screensById([id])
        if (!before) throw noScreen()
        if (cameras || audio) requireLiveAndAudio(audio ?? before.audio, caller)
        const change: ScreenChange = {
          ...(name !== undefined && { name: nameFrom(name) }),
          ...(cameras && { cameras: keysOf(cameras, deps) }),
          ...(audio !== undefined && { audio }),
          ...(layout && { layout: { ...before.layout, ...layout } }),
        }
        const detail = `${before.name}: ${JSON.stringify(body)}`
        const screen = await store.change(id, change, auditEntry(caller, 'screen.change', id, detail))
        publish({ kind: 'credential', id })
        if (!screen) throw noScreen()
        return screenResponse(screen, deps)
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/screens/:id',
      access: { ...manage, about: { of: 'path', find: camerasBefore } },
      confirm: true,
      schema: {
        summary: 'Remove a screen and close its open streams.',
        params: IdPath,
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, caller) {
        const [screen] = await store.screensById([id])
        const revoked =
          screen !== undefined && (await store.revoke(id, auditEntry(caller, 'screen.revoke', id, screen.name)))
        publish({ kind: 'credential', id })
        if (!revoked) throw noScreen()
      },
    }),
  ]
}

/** @throws ServiceError `forbidden` if a screen would show, or play, what the caller doesn't see or hear */
function requireLiveAndAudio(audio: boolean, caller: Caller): void {
  if (!caller.hasPart('live') || (audio && !caller.hasPart('audio'))) throw new ServiceError('forbidden')
}

/** @throws ServiceError `invalid-request` for a camera that does not exist */
function keysOf(names: readonly string[], { keys, cameraExists }: ScreenRoutesDeps): CameraKey[] {
  const unknown = names.find((name) => !cameraExists(name))
  if (unknown !== undefined) throw invalidField('cameras', fieldProblem('no-such-camera', { camera: unknown }))
  return [...new Set(names)].map((name) => keys.keyOf(name))
}

/** @throws ServiceError `invalid-request` for a name that can't be shown in one line */
function nameFrom(text: string): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', fieldProblem('missing'))
  if (/\p{C}/u.test(name)) throw invalidField('name', fieldProblem('control-character'))
  return name
}

const noScreen = () => new ServiceError<AuthReasons>('not-found', { reason: 'no-such-screen' })
