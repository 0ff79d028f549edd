import { changeBy, actorOf, type Caller } from '../../http/caller.ts'
import { respond, type RouteResponse } from '../../http/response.ts'
import { route, type Input, type Route } from '../../http/route.ts'
import type { Audit, AuditAction } from '../../shared/audit/audit.ts'
import { auditedEdit } from '../../shared/audit/audited-edit.ts'
import { invalidField } from '../../shared/errors.ts'
import { displayName } from '../../shared/http/text-field.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import type { ConfigStore, Edited } from '../../config/config-store.ts'
import type { CustomRole } from '../../access/role.ts'
import { aboutPathCamera, type AboutCameras, type Sent } from '../../access/rule.ts'
import {
  AllCameraSettings,
  CameraChange,
  CameraLimits,
  CameraSettings,
  Limits,
  Motion,
  NewCamera,
} from './camera-settings-schema.ts'
import { limitsOf, settingsIn, settingsOf, type EditedSections } from './camera-settings-response.ts'
import { withCamera, withNewCamera, withoutCamera } from './edit-cameras.ts'
import { withMotion } from './edit-motion.ts'
import { withCameraLimits, withLimits } from './edit-recording.ts'
import { redacted, redactUrl } from '../../config/redact-url.ts'
import { CameraPath } from '../../shared/camera/camera-path.ts'

export interface CameraSettingsDeps {
  /** The custom roles of the active configuration. */
  readonly customRoles: () => ReadonlyMap<string, CustomRole>
  readonly configStore: Pick<ConfigStore<EditedSections>, 'written' | 'version' | 'raw' | 'edit'>
  readonly audit: Audit
}

const manage = { service: 'cameras.manage' } as const
const ofAll = { ...manage, about: 'all-cameras' } as const
const ofOne = { ...manage, about: aboutPathCamera }

/** A new name can be that of a removed camera, whose recordings it inherits, and a new source can show another camera. */
const aboutChange: AboutCameras = {
  of: 'body',
  find: (sent) => (changesOnlyItself(sent) ? aboutPathCamera.find(sent) : 'all-cameras'),
}

const changesOnlyItself = ({ params: { camera }, body }: Sent): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.entries(body).every(([key, value]) => keysOfItself.has(key) || (key === 'name' && value === camera))

const keysOfItself: ReadonlySet<string> = new Set<keyof CameraChange>(['title', 'enabled'])

/** Cameras, their motion settings and recording limits, edited in config.yml and guarded by its ETag (`If-Match`). */
export function cameraSettingsRoutes({ configStore, customRoles, audit }: CameraSettingsDeps): Route[] {
  /** Makes one change and audits its result, also on failure. `detail` never contains a value that could be a secret. */
  function change(
    input: Pick<Input<object>, 'header'>,
    caller: Caller,
    { action, target, detail }: { action: AuditAction; target: string; detail?: string },
    edit: (text: string, written: EditedSections) => string,
  ): Promise<Edited<EditedSections>> {
    return auditedEdit(audit, { ...actorOf(caller), action, target, ...(detail !== undefined && { detail }) }, () =>
      configStore.edit(edit, input.header('if-match'), changeBy(caller)),
    )
  }

  return [
    route({
      method: 'GET',
      path: '/api/config/cameras',
      access: { ...manage, about: 'no-camera' },
      schema: {
        summary:
          'List camera settings, with the ETag of the configuration; to a token for some cameras, those of these.',
        response: { 200: AllCameraSettings },
      },
      async handle(_input, { scope }) {
        const [written, etag] = [configStore.written(), configStore.version()]
        return respond({
          body: await settingsIn(written, etag, { raw: configStore.raw, customRoles }, scope),
          headers: { etag },
        })
      },
    }),
    route({
      method: 'POST',
      path: '/api/cameras',
      access: ofAll,
      confirm: true,
      schema: {
        summary: 'Add a camera to the configuration (`If-Match`: ETag of the configuration).',
        ifMatch: true,
        body: NewCamera,
        response: { 201: CameraSettings },
      },
      async handle(input, caller) {
        const { keep_demo = false, enabled = true, ...rest } = input.body
        const title = typedTitle(rest.title ?? null)
        refuseMask(rest.source)
        const edited = await change(input, caller, { action: 'camera.create', target: rest.name }, (text) =>
          withNewCamera(text, { ...rest, title, enabled }, keep_demo),
        )
        return changed(201, rest.name, edited)
      },
    }),
    route({
      method: 'PUT',
      path: '/api/cameras/:camera',
      access: { ...manage, about: aboutChange },
      confirm: true,
      schema: {
        summary:
          'Change a camera in the configuration (`If-Match`: ETag of the configuration). A token for some cameras changes only its title, and whether it is enabled.',
        ifMatch: true,
        params: CameraPath,
        body: CameraChange,
        response: { 200: CameraSettings },
      },
      async handle(input, caller) {
        const { camera } = input.params
        const { name = camera, source, enabled, inherit } = input.body
        const title = input.body.title === undefined ? undefined : typedTitle(input.body.title)
        const keys = Object.keys(input.body).join(', ')
        const detail = name === camera ? keys : `${keys}; name: ${name}`
        const edited = await change(
          input,
          caller,
          { action: 'camera.change', target: camera, detail },
          (text, written) =>
            withCamera(text, camera, {
              name,
              title,
              enabled,
              inherit,
              source: newSource(source, written.cameras.get(camera)),
            }),
        )
        return changed(200, name, edited)
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/cameras/:camera',
      access: ofOne,
      confirm: true,
      schema: {
        summary:
          'Remove a camera from the configuration (`If-Match`: its ETag), and from roles that also list other cameras.',
        ifMatch: true,
        params: CameraPath,
        otherResponses: { 204: null },
      },
      async handle(input, caller) {
        const { camera } = input.params
        const edited = await change(input, caller, { action: 'camera.delete', target: camera }, (text) =>
          withoutCamera(text, camera),
        )
        return respond({ headers: { etag: edited.etag } })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/cameras/:camera/motion-settings',
      access: ofOne,
      confirm: true,
      schema: {
        summary: 'Change the motion detection settings of a camera (`If-Match`: ETag of the configuration).',
        ifMatch: true,
        params: CameraPath,
        body: Motion,
        response: { 200: CameraSettings },
      },
      async handle(input, caller) {
        const { camera } = input.params
        const edited = await change(input, caller, { action: 'camera.motion', target: camera }, (text) =>
          withMotion(text, camera, input.body),
        )
        return changed(200, camera, edited)
      },
    }),
    route({
      method: 'PUT',
      path: '/api/cameras/:camera/recording-limits',
      access: ofOne,
      confirm: true,
      schema: {
        summary: 'Change the recording limits of a camera (`If-Match`: ETag of the configuration).',
        ifMatch: true,
        params: CameraPath,
        body: CameraLimits,
        response: { 200: CameraSettings },
      },
      async handle(input, caller) {
        const { camera } = input.params
        const detail = JSON.stringify(input.body)
        const edited = await change(input, caller, { action: 'recording.limits', target: camera, detail }, (text) =>
          withCameraLimits(text, camera, input.body),
        )
        return changed(200, camera, edited)
      },
    }),
    route({
      method: 'PUT',
      path: '/api/recordings/limits',
      access: ofAll,
      confirm: true,
      schema: {
        summary: 'Change the recording limits of all cameras together (`If-Match`: ETag of the configuration).',
        ifMatch: true,
        body: Limits,
        response: { 200: Limits },
      },
      async handle(input, caller) {
        const detail = JSON.stringify(input.body)
        const edited = await change(
          input,
          caller,
          { action: 'recording.limits', target: 'recording', detail },
          (text) => withLimits(text, input.body),
        )
        return respond({ body: limitsOf(edited.written), headers: { etag: edited.etag } })
      },
    }),
  ]
}

const changed = (status: number, name: string, { written, etag }: Edited<EditedSections>): RouteResponse =>
  respond({ status, body: settingsOf(name, written.cameras), headers: { etag } })

/** @throws ServiceError `invalid-request` */
const typedTitle = (title: string | null): string | null => (title === null ? null : displayName('title', title))

/** A source sent back masked, as the API returned it, stays unchanged. */
function newSource(sent: string | undefined, stored: { readonly source: string } | undefined): string | undefined {
  if (sent === undefined || (stored && sent === redactUrl(stored.source))) return undefined
  refuseMask(sent)
  return sent
}

export interface MaskedSourceProblems {
  'masked-source': null
}

function refuseMask(source: string): void {
  if (source.includes(redacted)) throw invalidField('source', fieldProblem('masked-source'))
}
