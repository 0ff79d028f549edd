import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { changeDatabase, openDatabase } from './service-database.ts'
import type { Service } from './service.ts'
import type { TestClient } from './test-client.ts'

export interface Profile {
  username: string
  role: string
  allowed_cameras: string[]
  actions: string[]
}
export interface RoleResponse {
  name: string
  cameras: string[]
  users: number
  builtin: boolean
}

export const profileOf = async (client: TestClient) => (await client.get('/api/profile')).json as Profile
export const camerasOf = async (client: TestClient) =>
  ((await client.get('/api/cameras')).json as { name: string }[]).map(({ name }) => name)
export const rolesOf = async (service: Service) => (await service.internal.get('/api/roles')).json as RoleResponse[]
export const roleOf = async (service: Service, user: string) =>
  ((await service.internal.get('/api/users')).json as { username: string; role: string }[]).find(
    ({ username }) => username === user,
  )?.role

export const withoutGuard = (service: Service) => () => !readFileSync(service.configFile, 'utf8').includes('guard')

export const expectNoGrant = async (client: TestClient) => {
  for (const path of ['/api/cameras', '/api/cameras/yard', '/api/cameras/office', '/api/profile', '/api/config']) {
    expect((await client.get(path)).status, path).toBe(403)
  }
}

/** Takes the database's write lock. @returns a function that releases it */
export async function lock(service: Service): Promise<() => void> {
  const database = openDatabase(service)
  await vi.waitFor(() => database.exec('begin immediate'), 60_000)
  return () => {
    database.exec('rollback')
    database.close()
  }
}

/** Makes the database reject a statement. @returns a function that undoes it */
export async function refuse(service: Service, when: string): Promise<() => Promise<void>> {
  await changeDatabase(service, (database) =>
    database.exec(`create trigger refused before ${when} begin select raise(abort, 'refused'); end`),
  )
  return () => changeDatabase(service, (database) => database.exec('drop trigger refused'))
}

/** The deletions noted so far. */
export function noted(service: Service): unknown[] {
  const database = openDatabase(service, { readOnly: true })
  try {
    return database.prepare('select role from deleted_role').all()
  } finally {
    database.close()
  }
}
