import { QueryClient } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { NotAskedYet, requireAsked } = await import('./removed-camera.ts')
const { ApiError } = await import('../../api/api.ts')
afterAll(() => vi.unstubAllGlobals())

const had = Response.json({ name: 'yard', removed_at: null, recordings: null, review_items: 3, exports: 0, roles: [] })

test.each([
  { name: 'that an earlier camera had', response: had, shownFor: undefined, error: NotAskedYet },
  { name: 'after which another was typed', response: had, shownFor: 'yar', error: NotAskedYet },
  { name: 'that the user was asked about', response: had, shownFor: 'yard', error: undefined },
  { name: 'that is new', response: new Response(null, { status: 404 }), shownFor: undefined, error: undefined },
  {
    name: 'of which nothing is known',
    response: new Response(null, { status: 503 }),
    shownFor: undefined,
    error: ApiError,
  },
])('[CAM-4] saving a camera right after typing a name $name', async ({ response, shownFor, error }) => {
  vi.stubGlobal('fetch', () => Promise.resolve(response.clone()))
  const saving = requireAsked(new QueryClient(), 'yard', shownFor)
  await (error ? expect(saving).rejects.toBeInstanceOf(error) : expect(saving).resolves.toBeUndefined())
})
