import type { Change, Model, ModelToken } from './model.ts'
import { password as firstPassword } from './sign-in.ts'
import type { Gatehouse } from './start-gatehouse.ts'
import type { Reply } from './test-client.ts'
import { wait } from './wait.ts'

export const users = ['ann', 'bob', 'cat', 'dan'] as const
export const customRoles = ['guard', 'clerk'] as const
const assignable = ['viewer', 'admin', ...customRoles, ...customRoles]
const cameras = ['yard', 'door', 'office']

export interface RandomChangesDeps {
  readonly service: Gatehouse
  readonly model: Model
  readonly chance: () => number
  /** Times that exports can have, Unix seconds. */
  readonly recorded: { readonly start: number; readonly end: number }
  readonly isKilled: () => boolean
}

/**
 * Changes users, roles, exports and recordings concurrently until the service is killed. Each user, and each kind of
 * object, has one client, which waits for every response.
 */
export async function changeAtRandom(deps: RandomChangesDeps): Promise<void> {
  const { isKilled } = deps
  const repeated = async (change: () => Promise<Reply | undefined>): Promise<void> => {
    while (!isKilled()) if (!(await change())) return
  }
  await Promise.all([
    ...users.map((name) => repeated(() => changeUser(name, deps))),
    repeated(() => changeRole(deps)),
    repeated(() => changeVideo(deps)),
  ])
}

const pick = <T>(chance: () => number, from: readonly T[]): T => from[Math.floor(chance() * from.length)]!

async function changeUser(name: string, deps: RandomChangesDeps): Promise<Reply | undefined> {
  const { service, model, chance, isKilled } = deps
  const { internal, gate } = service
  const path = `/api/users/${name}`
  const send = (change: Change, request: () => Promise<Reply>) => model.request(change, request, isKilled)
  const user = model.users.get(name)
  if (!user) {
    const role = pick(chance, assignable)
    const create: Change = {
      entry: `user.create ${name}`,
      role,
      apply: () => model.users.set(name, { password: firstPassword, roles: model.rolesAfter(create), sessions: [] }),
    }
    return send(create, () => internal.post('/api/users', { username: name, password: firstPassword, role }))
  }
  const login = () => {
    const add = (reply?: Reply) => model.addToken(name, model.newSession(name), reply)
    const body = { user: name, password: user.password }
    return send({ entry: `login ${name}`, apply: add }, () => gate.post('/api/login', body))
  }
  const alive = model.tokens.filter((token) => token.name === name && token.session.isAlive)
  const token = alive.length > 0 ? pick(chance, alive) : undefined
  if (!token || (alive.length < 5 && chance() < 0.3)) return login()
  const next = `correct horse battery ${Math.floor(chance() * 1e9)}`
  const setPassword = {
    entry: `user.password ${name}`,
    apply(reply?: Reply) {
      model.revoke(name)
      user.password = next
      if (reply?.cookies.length) model.addToken(name, model.newSession(name), reply)
    },
  }
  const which = chance()
  if (which < 0.35) {
    const role = pick(chance, assignable)
    const assign: Change = {
      entry: `user.role ${name}`,
      role,
      apply: () => void (user.roles = model.rolesAfter(assign)),
    }
    return send(assign, () => internal.put(`${path}/role`, { role }))
  }
  if (which < 0.5) return send(setPassword, () => internal.put(`${path}/password`, { password: next }))
  if (which < 0.6) {
    const body = { password: next, old_password: user.password }
    return send(setPassword, () => bearer(service, token).put(`${path}/password`, body))
  }
  if (which < 0.7) {
    const remove = () => {
      model.revoke(name)
      model.users.delete(name)
    }
    return send({ entry: `user.delete ${name}`, apply: remove }, () => internal.delete(path))
  }
  if (which < 0.8) {
    const end = () => void (token.session.isAlive = false)
    return send({ entry: `logout ${name}`, apply: end }, () => bearer(service, token).post('/api/logout'))
  }
  if (which < 0.85) {
    const revoke = () => model.revoke(name)
    return send({ entry: `session.revoke ${name}`, apply: revoke }, () => internal.delete(`/api/sessions?user=${name}`))
  }
  return bearer(service, token)
    .get('/api/auth')
    .then(
      (reply) => {
        model.addToken(name, token.session, reply)
        return reply
      },
      () => undefined,
    )
}

export const bearer = ({ gate }: Gatehouse, { token }: Pick<ModelToken, 'token'>) =>
  gate.with({ authorization: `Bearer ${token}` })

function changeRole({ service, model, chance, isKilled }: RandomChangesDeps): Promise<Reply | undefined> {
  const role = pick(chance, customRoles)
  const path = `/api/roles/${role}`
  if (model.roles.has(role) && chance() < 0.5) {
    return model.request(
      { entry: `role.delete ${role}`, role, apply: () => model.deleteRole(role) },
      () => service.internal.delete(path),
      isKilled,
    )
  }
  const granted = cameras.filter(() => chance() < 0.5)
  if (granted.length === 0) granted.push('yard')
  return model.request(
    { entry: `role.set ${role}`, apply: () => model.roles.set(role, granted) },
    () => service.internal.put(path, { cameras: granted }),
    isKilled,
  )
}

/** Changes exports and recordings, a few per second. */
async function changeVideo(deps: RandomChangesDeps): Promise<Reply | undefined> {
  const { service, model, chance, recorded, isKilled } = deps
  await wait(50 + chance() * 300, 'exports take longer than other changes')
  if (isKilled()) return undefined
  const which = chance()
  if (which < 0.2) {
    const before = Math.floor(Date.now() / 1000) - 5
    model.recordingsDeletedBefore = before
    return model.request(
      { entry: 'recordings.delete door', apply: () => undefined },
      () => service.internal.delete(`/api/cameras/door/recordings?after=0&before=${before}`),
      isKilled,
    )
  }
  const known = [...model.exports]
  if (known.length > 0 && (known.length > 8 || which < 0.4)) {
    const id = pick(chance, known)
    model.deletedExports.add(id)
    return model.request(
      { entry: `export.delete ${id}`, apply: () => model.exports.delete(id) },
      () => service.internal.delete(`/api/exports/${id}`),
      isKilled,
    )
  }
  const start = recorded.start + chance() * (recorded.end - recorded.start - 3)
  return model.request(
    {
      entry: 'export.create',
      // Without a response, its id is not known.
      apply: (reply) => void (reply && model.exports.add((reply.json as { id: string }).id)),
    },
    () => service.internal.post('/api/exports', { camera: 'office', start, end: start + 1 + chance() * 2 }),
    isKilled,
  )
}
