import { allowedIn } from '../allowed.ts'
import type { ConfigTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('en')

const { any, either } = allowedIn('en', {
  kinds: {
    boolean: 'true or false',
    null: 'null',
    text: 'text',
    'some-text': 'non-empty text',
    names: 'a map of names',
    keys: 'a map of keys',
    integer: 'an integer',
    number: 'a number',
    'rate-limit': '<count>/<unit>, separated by ;, with the unit second, minute or hour; or null',
    'cookie-name': "1 to 64 of letters, digits and !#$%&'*+-.^_`|~",
    cameras: 'a list with at least one camera',
    'camera-source':
      'a stream URL (rtsp, rtsps, rtmp, http, https), a file in the media folder such as file:clips/yard.mp4, or demo:yard, demo:door, demo:office',
    database: 'sqlite, or postgres://user:password@host/database',
    'base-path': 'a path of letters, digits, -, _, . and ~ that starts with /',
    'frame-ancestor': "'self', 'none' or a CSP source such as https://home.example",
    origin: 'an origin such as https://home.example:8123',
    host: 'an IP address or hostname',
    'host-name': 'a hostname without a port',
    'trusted-header': 'a header from the trusted list, or null',
    secret: 'printable ASCII text, or null',
    networks: 'a list of IP addresses or CIDR ranges, or null',
    network: 'an IP address or CIDR range such as 10.0.0.0/8',
    role: 'admin, viewer or a role of auth.roles; or null',
    link: 'an http:// or https:// URL, or a path on this site that starts with /; or null',
    file: 'a path (absolute, or in the configuration folder) or null',
    polygons: 'a list of areas, each a list of at least three points, each [x, y] from 0 to 1',
  },
  range: {
    between: (min, max) => ` from ${min} to ${max}`,
    min: (min) => `, ${min} or more`,
    above: (above) => ` above ${above}`,
  },
  list: (each) => `a list, each ${each}`,
})

export const configProblems: ConfigTexts = {
  'not-utf8': 'The file isn’t valid UTF-8.',
  'control-character-in-file': 'Contains a control character. Only text is allowed.',
  'no-keys': 'The configuration has no keys. It needs at least one, for example auth: {}.',
  'no-yaml': ({ message }) => `Invalid YAML: ${message}.`,
  'yaml-tag': 'Invalid YAML: tags (!…) aren’t allowed.',
  'second-document': 'Invalid YAML: a second document starts here.',
  'key-no-name': 'A key must be a plain name.',
  'duplicate-key': ({ key, line }) => `Duplicate key ${key}, first defined on line ${line}.`,
  'unknown-key': ({ key, keys }) =>
    keys.length === 0 ? `Unknown key ${key}.` : `Unknown key ${key}. Available: ${keys.join(', ')}.`,
  'unknown-key-meant': ({ key, meant }) => `Unknown key ${key}. Did you mean ${either(meant)}?`,
  'unknown-alias': 'Unknown alias (*…).',
  'repeats-too-much': ({ max }) =>
    plural(max, {
      one: 'Too many aliases: limit # value.',
      other: 'Too many aliases: limit # values.',
    }),
  'key-missing': ({ allowed }) => `Required. Allowed: ${any(allowed)}.`,
  'value-empty': ({ allowed, optional }) =>
    `Empty. Allowed: ${any(allowed)}.${optional ? ' Or leave the key out.' : ''}`,
  'invalid-value': ({ found, allowed, quotes }) =>
    `${found === undefined ? 'Invalid value.' : `Invalid value ${found}.`} Allowed: ${any(allowed)}.${quotes ? ' Put it in quotes.' : ''}`,
  'list-empty': ({ allowed }) => `Empty list. Allowed: ${any(allowed)}.`,
  'unresolved-placeholder': ({ names }) =>
    `No value for ${names.map((name) => `{${name}}`).join(', ')}. Set an environment variable or add a file to $CREDENTIALS_DIRECTORY.`,
  'placeholder-broken': 'Invalid placeholder. Use {SERVICE_…} with letters, digits and _.',
  'placeholder-elsewhere': ({ names, prefix }) =>
    `${names.map((name) => `{${name}}`).join(', ')} can’t be used here. Allowed: {${prefix}…}.`,
  'placeholder-place': 'Placeholders can be used only in the credentials and the query, not in the host or path.',
  'host-prefix': 'Starts with __Host-, which browsers accept only if http.base_path is /.',
  'invalid-camera-name': 'Use 1 to 64 letters, digits, _ and - for a camera name.',
  'mask-corners': 'A mask needs at least three points.',
  'mask-corner': 'Invalid point. Use two numbers from 0 to 1.',
  'no-motion-detection': 'Motion detection is off for this camera; everything is kept.',
  'unknown-camera': ({ camera }) => `Camera “${camera}” doesn’t exist, so this has no effect.`,
  'no-sign-for-all': 'Wildcards aren’t supported. For all cameras, use the viewer role.',
  'same-port': ({ port }) => `${port} is already used by networking.gate.port.`,
  'requires-key': ({ other }) => `Requires ${other} as well.`,
  'unknown-role': ({ role, roles }) => `Role “${role}” doesn’t exist. Available: ${roles.join(', ')}.`,
  'no-header-name': ({ header }) => `“${header}” isn’t a valid header name. Names with _ or . are never trusted.`,
  'header-not-trusted': ({ header, file }) =>
    `Header “${header}” isn’t trusted: only headers listed in ${file} are. To trust it, mount your own list over that file (or set TRUSTED_HEADERS_FILE to its path) and restart.`,
  'invalid-secret': 'Use printable ASCII with no leading or trailing spaces.',
  'secret-short': ({ min }) =>
    plural(min, {
      one: 'A secret of fewer than # character can be guessed. Use a long random one.',
      other: 'A secret of fewer than # characters can be guessed. Use a long random one.',
    }),
  'proxy-unproven':
    'Requires proxy.auth_secret or proxy.trusted_peers while auth.enabled is true. Without them, any client could claim to be any user in a header.',
  'no-user-header':
    'Required. With proxy.enabled and auth.enabled both true, this header names the user who signed in through the proxy.',
  'separator-control': 'Contains a control character, which a header can’t contain.',
  'trusts-everybody': 'This trusts every IP address.',
  'no-network': 'Invalid IP address or CIDR range. Use for example 10.0.0.0/8 or fd00::/8.',
  'wrong-prefix': ({ max }) => `Invalid prefix length. Use 0 to ${max}.`,
  'ipv4-as-ipv6': ({ plainly }) => `IPv4-mapped ranges need a prefix of 96 to 128. Use ${plainly}.`,
}
