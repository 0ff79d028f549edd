import { Type, type Static } from 'typebox'
import type { CameraScope } from '../access/grant.ts'
import { changeBy, actorOf } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { Audit } from '../shared/audit/audit.ts'
import { auditedEdit } from '../shared/audit/audited-edit.ts'
import { ServiceError } from '../shared/errors.ts'
import { ProblemResponse, problemResponse } from '../shared/http/message-schema.ts'
import type { ConfigStore } from '../config/config-store.ts'
import type { SystemReasons } from './reasons.ts'
import { Timestamp, timestampOf } from '../shared/http/timestamp.ts'

export interface ConfigRoutesDeps {
  readonly configStore: Pick<ConfigStore<CheckedSections>, 'raw' | 'check' | 'save'>
  /** The versions that are kept, the newest first; none of a config.yml. Times are Unix milliseconds. */
  readonly versions: () => Promise<readonly { readonly number: number; readonly author: string; readonly at: number }[]>
  /** The sections that stay in the config.yml of each machine; none if all of the configuration is in it. */
  readonly machineSections: readonly string[]
  /** The active configuration without secrets. */
  readonly shownToAdmin: () => object
  /** The part of the active configuration that a caller who is not an admin can see. */
  readonly shownTo: (scope: CameraScope) => object
  /** JSON Schema of the configuration. */
  readonly schema: () => object
  /** Roles of users that are not in `existing`, each with at most `limit` of its users. */
  readonly orphans: (existing: readonly string[], limit: number) => Promise<readonly OrphanedRole[]>
  readonly audit: Audit
}

interface CheckedSections {
  readonly auth: { readonly roles: ReadonlyMap<string, unknown> }
}

interface OrphanedRole {
  readonly role: string
  readonly users: readonly string[]
}

/** Maximum number of users named in a response. */
const namedUsers = 1000

const KeyPaths = Type.Array(Type.String(), { description: 'Key paths, such as `auth.roles.guard`.' })

export const ConfigSaved = Type.Object({ applied: KeyPaths, restart_required: KeyPaths })
export type ConfigSaved = Static<typeof ConfigSaved>

const Found = Type.Array(ProblemResponse)

export const ConfigCheck = Type.Object({ problems: Found, warnings: Found })
export type ConfigCheck = Static<typeof ConfigCheck>

export const ConfigHistory = Type.Object({
  machine_sections: Type.Array(Type.String(), {
    description:
      'Sections that stay in the config.yml of each machine. Empty if all of the configuration is in config.yml.',
  }),
  versions: Type.Array(Type.Object({ number: Type.Integer(), author: Type.String(), at: Timestamp }), {
    description: 'The newest version first, at most 100. Empty if the configuration is in config.yml.',
  }),
})
export type ConfigHistory = Static<typeof ConfigHistory>

export const configRoutes = (deps: ConfigRoutesDeps): Route[] => {
  const { configStore, versions, machineSections, shownToAdmin, shownTo, schema, orphans, audit } = deps
  const judge = async ({ auth }: CheckedSections) => refuseOrphans(await orphans([...auth.roles.keys()], namedUsers))
  return [
    route({
      method: 'GET',
      path: '/api/config',
      access: { cameras: 'any', details: 'config.manage' },
      schema: {
        summary:
          'Get the active configuration without secrets. A caller who is not an admin gets only the cameras of their role.',
        response: { 200: Type.Record(Type.String(), Type.Unknown()) },
      },
      handle: (_input, { scope, seesDetails }) => (seesDetails ? shownToAdmin() : shownTo(scope)),
    }),
    route({
      method: 'GET',
      path: '/api/config/raw',
      access: { service: 'config.manage', about: 'no-camera' },
      reads: 'config.read',
      schema: {
        summary: 'Get the text of config.yml, or of the document that several instances share instead, with its ETag.',
        otherResponses: { 200: 'text/yaml' },
      },
      handle: async () => {
        const { text, etag } = await configStore.raw()
        return respond({ body: text, headers: { 'content-type': 'text/yaml; charset=utf-8', etag } })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/config/raw',
      access: { service: 'config.manage', about: 'no-camera' },
      confirm: true,
      text: 'text/yaml',
      schema: {
        summary:
          'Replace config.yml, or the document that several instances share, if it is valid and unchanged since it was read (`If-Match`).',
        ifMatch: true,
        querystring: Type.Object({
          orphan_roles: Type.Optional(
            Type.Enum(['allow'], {
              description: 'Allows a save that leaves users with a role that does not exist. Default: 409.',
            }),
          ),
        }),
        body: Type.String(),
        response: { 200: ConfigSaved },
      },
      handle: async (input, caller) => {
        const judged = input.query.orphan_roles === 'allow' ? undefined : judge
        return auditedEdit(
          audit,
          { ...actorOf(caller), action: 'config.save', target: 'config.yml' },
          () => configStore.save(input.body, input.header('if-match'), changeBy(caller), judged),
          ({ applied, restart_required }) => [...applied, ...restart_required].join(' '),
        )
      },
    }),
    route({
      method: 'GET',
      path: '/api/config/versions',
      access: { service: 'config.manage', about: 'no-camera' },
      schema: {
        summary: 'List who changed the configuration that several instances share, and when.',
        response: { 200: ConfigHistory },
      },
      handle: async () => ({
        machine_sections: [...machineSections],
        versions: (await versions()).map(({ number, author, at }) => ({
          number,
          author,
          at: timestampOf(at),
        })),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/config/check',
      access: { service: 'config.manage', about: 'no-camera' },
      confirm: { never: 'it changes nothing' },
      text: 'text/yaml',
      schema: {
        summary: 'Validate a config.yml without saving it.',
        body: Type.String(),
        response: { 200: ConfigCheck },
      },
      handle: ({ body }) => {
        const { problems, warnings } = configStore.check(body)
        return { problems: problems.map(problemResponse), warnings: warnings.map(problemResponse) }
      },
    }),
    route({
      method: 'GET',
      path: '/api/config/schema.json',
      access: { service: 'config.manage', about: 'no-camera' },
      schema: {
        summary: 'Get the JSON Schema of config.yml.',
        response: { 200: Type.Record(Type.String(), Type.Unknown()) },
      },
      handle: schema,
    }),
  ]
}

/** CONF-4: a save cannot remove a user's role unless the admin confirms it. */
function refuseOrphans(orphans: readonly OrphanedRole[]): void {
  if (orphans.length === 0) return
  const names = orphans.flatMap(({ users }) => users).slice(0, namedUsers)
  const missing = orphans.map(({ role }) => role)
  throw new ServiceError<SystemReasons>('conflict', {
    reason: 'orphaned-roles',
    values: { roles: missing, users: names },
    shown: { roles: missing.join(', '), users: names.join(', ') },
    note: 'Keep the role, assign these users another role, or save anyway with ?orphan_roles=allow.',
  })
}
