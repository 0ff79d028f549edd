import type { Service } from './service.ts'
import type { TestClient } from './test-client.ts'

export interface CreatedShareLink {
  readonly id: string
  readonly secret: string
  readonly url: string
  readonly start: number | null
  readonly end: number | null
}

/** Creates a share link. */
export async function makeLink(creator: TestClient, body: object): Promise<CreatedShareLink> {
  const { status, json, text } = await creator.post('/api/links', body)
  if (status !== 201) throw new Error(`no link was created: ${text}`)
  const made = json as { id: string; url: string; start: number | null; end: number | null }
  return { ...made, secret: new URL(made.url).hash.slice(1) }
}

/** A path below that of a link. */
export const linkPath = ({ id }: Pick<CreatedShareLink, 'id'>, rest: string): string => `/api/links/${id}/${rest}`

/** The `name=value` of a link's cookie. */
export const linkCookieIn = (cookies: readonly string[]): string =>
  cookies.find((each) => each.startsWith('gatehouse_link='))?.split(';')[0] ?? ''

/** Opens a link: a client with its cookie, which a browser would send only below the path of the link. */
export async function openLink(
  { gate }: Pick<Service, 'gate'>,
  { id, secret }: Pick<CreatedShareLink, 'id' | 'secret'>,
  code?: string,
): Promise<TestClient> {
  const { status, cookies, text } = await gate.post(`/api/links/${id}/open`, { secret, ...(code && { code }) })
  if (status !== 200) throw new Error(`the link was not opened: ${text}`)
  return gate.with({ cookie: linkCookieIn(cookies) })
}
