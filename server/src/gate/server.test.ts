import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { bareServer, onePage } from '../../test/support/bare-server.ts'
import { testPort } from '../../test/support/test-port.ts'
import { createTestClock } from '../../test/support/test-clock.ts'

const addSneaky = async (app: FastifyInstance) => {
  app.get('/sneaky', async () => 'hi')
}

describe('the server', () => {
  test('does not start with a route that declares no access', async () => {
    await expect(bareServer({ routes: [], webFiles: { ...onePage, register: addSneaky } })).rejects.toThrow(
      'GET /sneaky declares no access',
    )
  })

  test('has no log', async () => {
    expect((await testPort()).app.log.level).toBeUndefined()
  })

  test('logs once a minute that it drops connections', async () => {
    const clock = createTestClock()
    const { app, logged } = await testPort({ clock })
    app.server.maxConnections = 7
    const line = ['warn', 'connections dropped: too many are open', { max_connections: 7 }]
    for (const expected of [[line], [line], [line, line]]) {
      app.server.emit('drop')
      expect(logged).toEqual(expected)
      if (expected.length === 1) await clock.advance(30_000)
    }
  })

  test('refuses requests while it closes', async () => {
    const closing = Promise.withResolvers<void>()
    const { app, send } = await testPort({
      webFiles: {
        ...onePage,
        register: async (server) => void server.addHook('preClose', async () => closing.promise),
      },
    })
    const closed = app.close()
    expect((await send()).status).toBe(503)
    closing.resolve()
    await closed
  })
})
