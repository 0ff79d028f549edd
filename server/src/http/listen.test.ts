import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

/** A server on a machine where listening on `::` fails with this code. */
const serverOn = (code: string) => {
  const hosts: string[] = []
  const app = {
    async listen({ host }: { readonly host: string }) {
      hosts.push(host)
      if (host.includes(':')) throw Object.assign(new Error(code), { code })
    },
  } as unknown as FastifyInstance
  return { app, hosts }
}

test.each(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])('[PORT-7] without IPv6 (%s), `::` means IPv4 only', async (code) => {
  const { app, hosts } = serverOn(code)
  await listen(app, 'networking.gate', { host: '::', port: 8971 })
  expect(hosts).toEqual(['::', '0.0.0.0'])
})

test.each([
  ['::', 'EADDRINUSE'],
  ['::1', 'EADDRNOTAVAIL'],
])('[PORT-7] any other failure of %s (%s) ends the start', async (host, code) => {
  const { app, hosts } = serverOn(code)
  await expect(listen(app, 'networking.gate', { host, port: 8971 })).rejects.toMatchObject({
    status: 1,
    message: `networking.gate: Couldn't listen on ${host} port 8971 (${code}).`,
  })
  expect(hosts).toEqual([host])
})
