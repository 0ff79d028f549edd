import { Type, type Static } from 'typebox'
import { cameraNamePattern } from '../../shared/camera/camera-name.ts'
import { answer, route, who, type Caller, type RouteResponse, type Input, type Route } from '../../http/route.ts'
import { nameOfActor, type Audit, type AuditAction } from '../../shared/audit/audit.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import { demoCameras, type CamerasConfig } from '../cameras.config.ts'
import type { ConfigFile, Edited } from '../../config/config-reload.ts'
import type { CustomRole } from '../../access/role.ts'
import { canEditCameras, withCamera, withNewCamera, withoutCamera } from './edit-cameras.ts'
import { withMotion } from './edit-motion.ts'
import { withCameraLimits, withLimits } from './edit-recording.ts'
import { hidden, redactUrl } from '../../config/redact-url.ts'

/** The sections that these routes show or edit. */
interface EditedSections {
  readonly cameras: CamerasConfig
  readonly recording: Static<typeof Limits>
}

export interface CameraSettingsDeps {
  /** The custom roles of the active configuration. */
  readonly customRoles: () => ReadonlyMap<string, CustomRole>
  readonly configFile: Pick<ConfigFile<EditedSections>, 'written' | 'version' | 'raw' | 'edit'>
  readonly audit: Audit
}

const Name = Type.String({ pattern: cameraNamePattern })
const Source = Type.String({ minLength: 1, maxLength: 2048 })
const Title = Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
  description: 'Title in the UI. null: the name is shown.',
})
const CameraPath = Type.Object({ camera: Type.String() })

const NewCamera = Type.Object(
  {
    name: Name,
    source: Source,
    title: Type.Optional(Title),
    enabled: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
    inherit: Type.Optional(
      Type.Boolean({
        description:
          'Whether the camera takes over the recordings, items and exports of a removed camera with its name (`GET /api/removed-cameras/{name}`). Default: false.',
      }),
    ),
    keep_demo: Type.Optional(
      Type.Boolean({
        description:
          'Whether to keep the demo cameras, which are shown while the configuration names no cameras. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type NewCamera = Static<typeof NewCamera>

const CameraChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: cameraNamePattern,
        description: 'New name. Roles that list the camera are updated.',
      }),
    ),
    source: Type.Optional(Source),
    title: Type.Optional(Title),
    enabled: Type.Optional(Type.Boolean()),
    inherit: Type.Optional(
      Type.Boolean({
        description:
          'With a new `name`: whether the camera takes over the recordings, items and exports of a removed camera with that name (`GET /api/removed-cameras/{name}`). Default: false.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Changes to a camera. Omitted keys stay unchanged.' },
)

export type CameraChange = Static<typeof CameraChange>

/** As an array of numbers: not every reader of the API's document knows tuples. */
const Point = Type.Unsafe<[number, number]>(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }))

const Motion = Type.Object(
  {
    enabled: Type.Boolean(),
    sensitivity: Type.Enum(['low', 'medium', 'high']),
    masks: Type.Array(Type.Array(Point, { maxItems: 1000 }), {
      maxItems: 1000,
      description:
        'Polygons of three or more points. Each point is two numbers from 0 to 1: the distance from the left and from the top.',
    }),
  },
  { additionalProperties: false },
)

export type Motion = Static<typeof Motion>

const OrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const CameraLimits = Type.Object(
  {
    enabled: Type.Boolean(),
    mode: Type.Enum(['all', 'motion']),
    retain_days: OrNull('Days recordings are kept. null: as for all cameras.'),
    max_gb: OrNull('Gigabytes (10⁹ bytes) of recordings kept. null: no limit for this camera.'),
  },
  { additionalProperties: false },
)

export type CameraLimits = Static<typeof CameraLimits>

const Limits = Type.Object(
  {
    enabled: Type.Boolean(),
    retain_days: Type.Number({ description: 'Days.' }),
    max_gb: Type.Number({ description: 'Gigabytes (10⁹ bytes).' }),
  },
  { additionalProperties: false },
)

export type Limits = Static<typeof Limits>

const CameraSettings = Type.Object({
  name: Type.String(),
  source: Type.String({ description: 'Source without credentials, path and query, which can contain secrets.' }),
  source_masked: Type.Boolean({ description: 'Whether part of `source` is replaced by `***`.' }),
  title: Title,
  enabled: Type.Boolean(),
  labels: Type.Array(Type.String(), { description: 'Labels that an instance must have to pull the camera.' }),
  motion: Motion,
  record: CameraLimits,
})
export type CameraSettings = Static<typeof CameraSettings>

export const AllCameraSettings = Type.Object({
  cameras: Type.Array(CameraSettings),
  recording: Limits,
  roles: Type.Array(Type.Object({ name: Type.String(), cameras: Type.Array(Type.String()) }), {
    description: 'Custom roles and the cameras they list.',
  }),
  demo: Type.Boolean({
    description: 'Whether these are the demo cameras, because the configuration names no cameras.',
  }),
  editable: Type.Boolean({
    description: 'Whether the service can edit the cameras in config.yml. false: edit the file by hand.',
  }),
})
export type AllCameraSettings = Static<typeof AllCameraSettings>

const access = { service: 'cameras.manage' } as const

/** Cameras, their motion settings and recording limits, edited in config.yml and guarded by its ETag (`If-Match`). */
export function cameraSettingsRoutes({ configFile, customRoles, audit }: CameraSettingsDeps): Route[] {
  /** Makes one change and audits its result, also on failure. `detail` never contains a value that could be a secret. */
  async function change(
    input: Pick<Input<object>, 'header'>,
    caller: Caller,
    { action, target, detail }: { action: AuditAction; target: string; detail?: string },
    edit: (text: string, written: EditedSections) => string,
  ): Promise<Edited<EditedSections>> {
    const entry = { ...who(caller), action, target }
    await audit.ready()
    const edited = await configFile
      .edit(edit, input.header('if-match'), { author: nameOfActor(entry) })
      .catch((error: unknown) => {
        audit.record({ ...entry, result: 'failure', detail: error instanceof ServiceError ? error.code : 'internal' })
        throw error
      })
    await audit.commit({ ...entry, result: 'success', ...(detail !== undefined && { detail }) })
    return edited
  }

  return [
    route({
      method: 'GET',
      path: '/api/config/cameras',
      access,
      schema: {
        summary: 'List camera settings, with the ETag of the configuration.',
        response: { 200: AllCameraSettings },
      },
      async handle() {
        const [written, etag] = [configFile.written(), configFile.version()]
        return answer({
          body: await settingsIn(written, etag, { raw: configFile.raw, customRoles }),
          headers: { etag },
        })
      },
    }),
    route({
      method: 'POST',
      path: '/api/cameras',
      access,
      confirm: true,
      schema: {
        summary: 'Add a camera to the configuration (`If-Match`: ETag of the configuration).',
        ifMatch: true,
        body: NewCamera,
        response: { 201: CameraSettings },
      },
      async handle(input, caller) {
        const { keep_demo = false, title = null, enabled = true, ...rest } = input.body
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
      access,
      confirm: true,
      schema: {
        summary: 'Change a camera in the configuration (`If-Match`: ETag of the configuration).',
        ifMatch: true,
        params: CameraPath,
        body: CameraChange,
        response: { 200: CameraSettings },
      },
      async handle(input, caller) {
        const { camera } = input.params
        const { name = camera, source, title, enabled, inherit } = input.body
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
      access,
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
        return answer({ status: 204, headers: { etag: edited.etag } })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/cameras/:camera/motion-settings',
      access,
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
      access,
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
      access,
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
        return answer({ body: limitsOf(edited.written), headers: { etag: edited.etag } })
      },
    }),
  ]
}

async function settingsIn(
  written: EditedSections,
  etag: string,
  { raw, customRoles }: Pick<CameraSettingsDeps['configFile'], 'raw'> & Pick<CameraSettingsDeps, 'customRoles'>,
): Promise<AllCameraSettings> {
  const onDisk = await raw()
  return {
    cameras: [...written.cameras.keys()].map((name) => settingsOf(name, written.cameras)),
    recording: limitsOf(written),
    // A role for all cameras lists none by name.
    roles: [...customRoles()].map(([name, { cameras }]) => ({ name, cameras: cameras === 'all' ? [] : [...cameras] })),
    demo: written.cameras === demoCameras,
    // A file that differs from the active one is checked when it is edited.
    editable: onDisk.etag !== etag || canEditCameras(onDisk.text),
  }
}

function settingsOf(name: string, cameras: CamerasConfig): CameraSettings {
  const camera = cameras.get(name)
  if (!camera) throw new ServiceError('not-found', { reason: 'no-such-camera' })
  const { title, enabled, labels, motion, record } = camera
  const source = redactUrl(camera.source)
  return {
    name,
    source,
    source_masked: source !== camera.source,
    title,
    enabled,
    labels: [...labels],
    motion: {
      enabled: motion.enabled,
      sensitivity: motion.sensitivity,
      masks: motion.masks.map((mask) => mask.map(([x = 0, y = 0]) => [x, y])),
    },
    record: { ...record },
  }
}

const limitsOf = ({ recording: { enabled, retain_days, max_gb } }: EditedSections): Static<typeof Limits> => ({
  enabled,
  retain_days,
  max_gb,
})

const changed = (status: number, name: string, { written, etag }: Edited<EditedSections>): RouteResponse =>
  answer({ status, body: settingsOf(name, written.cameras), headers: { etag } })

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
  if (source.includes(hidden)) throw invalidField('source', fieldProblem('masked-source'))
}
