import { Type } from 'typebox'
import { allInScope } from '../../access/grant.ts'
import { credentialOf } from '../../access/identity.ts'
import { listIn, type Concerned, type Sent } from '../../access/rule.ts'
import { auditEntry } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import { ServiceError } from '../../shared/errors.ts'
import { displayName } from '../../shared/http/text-field.ts'
import type { AuthReasons } from '../reasons.ts'
import { pairingRoutes, type PairingRoutesDeps } from './pairing.routes.ts'
import { screenCookie, screenIn } from './screen-cookie.ts'
import { keysOf, requireLiveAndAudio, shownParts } from './screen-input.ts'
import { OwnScreen, ownScreenResponse, ScreenResponse, screenResponse } from './screen-response.ts'
import { IdPath } from '../../shared/http/id-path.ts'
import { ScreenBody } from './screen-schema.ts'
import { camerasOf, type Screens } from './screens.ts'
import type { ScreenChange, ScreenStore } from './screen-store.ts'

export interface ScreenRoutesDeps extends PairingRoutesDeps {
  readonly store: Pick<ScreenStore, 'screens' | 'screensById' | 'confirm' | 'change' | 'revoke'>
  readonly screens: Pick<Screens, 'byId' | 'hasEnded'>
}

/** Routes to pair displays, and to list, change and revoke screens (KEY-6). */
export const screenRoutes = (deps: ScreenRoutesDeps): Route[] => [
  ...pairingRoutes(deps),
  ownRoute(deps),
  listRoute(deps),
  ...manageRoutes(deps),
]

const manage = { service: 'screens.manage' } as const

const ownRoute = ({ screens, keys }: Pick<ScreenRoutesDeps, 'screens' | 'keys'>): Route =>
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
  })

const listRoute = (deps: ScreenRoutesDeps): Route =>
  route({
    method: 'GET',
    path: '/api/screens',
    access: { ...manage, about: 'no-camera' },
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
      access: { ...manage, about: { of: 'body', find: camerasBeforeAndAfter }, parts: shownParts },
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
          ...(name !== undefined && { name: displayName('name', name) }),
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

const noScreen = () => new ServiceError<AuthReasons>('not-found', { reason: 'no-such-screen' })
