import { describe, expect, test } from 'vitest'
import { linkUrl } from './link-url.ts'

const link = { id: 'ab12', secret: 'S3_cret-' }

describe('the URL of a link', () => {
  test.each([
    ['over TLS', { host: 'cams.example', encrypted: true, basePath: '/' }, 'https://cams.example/s/ab12#S3_cret-'],
    ['with a port', { host: '[::1]:8971', encrypted: true, basePath: '/' }, 'https://[::1]:8971/s/ab12#S3_cret-'],
    [
      'below a base path, without TLS',
      { host: 'home', encrypted: false, basePath: '/cams/' },
      'http://home/cams/s/ab12#S3_cret-',
    ],
    ['without a host', { host: '', encrypted: false, basePath: '/' }, '/s/ab12#S3_cret-'],
  ])('%s', (_case, client, url) => expect(linkUrl('s', link, client)).toBe(url))

  test('leads to the page of its kind', () => {
    const client = { host: 'a', encrypted: true, basePath: '/' }
    expect(linkUrl('invite', link, client)).toBe('https://a/invite/ab12#S3_cret-')
    expect(linkUrl('reset', link, client)).toBe('https://a/reset/ab12#S3_cret-')
  })
})
