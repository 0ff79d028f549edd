import { allowedIn } from '../allowed.ts'
import type { ConfigTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('en')

const { any, either } = allowedIn('en', {
  kinds: {
    boolean: 'true or false',
    null: 'null',
    text: 'a text',
    'some-text': 'a text that is not empty',
    names: 'a table of names',
    keys: 'a table of keys',
    integer: 'a whole number',
    number: 'a number',
    'rate-limit': '<count>/<unit> joined by ;, the unit second, minute or hour; or null',
    'cookie-name': "1 to 64 of letters, digits and !#$%&'*+-.^_`|~",
    cameras: 'a list of at least one camera',
    'camera-source':
      'an address (rtsp, rtsps, rtmp, http, https), a file below the media folder as file:clips/yard.mp4, or demo:yard, demo:door, demo:office',
    database: 'sqlite, or postgres://user:password@host/database',
    'base-path': 'a path of letters, digits, -, _, . and ~ that starts with /',
    'frame-ancestor': "'self', 'none', or a source as in a Content-Security-Policy, as https://home.example",
    origin: 'a scheme and a host, with a port where it is not the usual one, as https://home.example:8123',
    host: 'an IP address or a host name',
    'host-name': 'a host name without a port',
    'trusted-header': 'a header of the trusted list, or null',
    secret: 'a text of printable ASCII characters, or null',
    networks: 'a list of at least one address or network range, or null',
    network: 'an address or a network range, as 10.0.0.0/8 or fd00::/8',
    role: 'admin, viewer or a role of auth.roles; or null',
    link: 'an http:// or https:// address, or a path of this site that starts with /; or null',
    file: 'a path (absolute, or below the configuration folder) or null',
    polygons: 'a list of areas, each a list of three corners or more, each [x, y] from 0 to 1',
  },
  range: {
    between: (min, max) => ` from ${min} to ${max}`,
    min: (min) => `, ${min} or more`,
    above: (above) => ` above ${above}`,
  },
  list: (each) => `a list, each ${each}`,
})

export const configProblems: ConfigTexts = {
  'not-utf8': 'The file is no text in UTF-8.',
  'control-character-in-file': 'There is a control character here. Only text is allowed.',
  'no-keys': 'The configuration contains no key. It needs at least one, for example auth: {}.',
  'no-yaml': ({ message }) => `This is no valid YAML: ${message}.`,
  'yaml-tag': 'This is no valid YAML: tags (!…) are not allowed.',
  'second-document': 'This is no valid YAML: a second document begins here.',
  'key-no-name': 'A key has to be a plain name.',
  'duplicate-key': ({ key, line }) => `The key ${key} stands here again; it was given in line ${line}.`,
  'unknown-key': ({ key, keys }) =>
    keys.length === 0 ? `The key ${key} is not known.` : `The key ${key} is not known. Known here: ${keys.join(', ')}.`,
  'unknown-key-meant': ({ key, meant }) => `The key ${key} is not known. Did you mean ${either(meant)}?`,
  'unknown-alias': 'This repeats a name (*…) that nothing has.',
  'repeats-too-much': ({ max }) =>
    plural(max, {
      one: 'Too much is repeated: at most # value can come from *….',
      other: 'Too much is repeated: at most # values can come from *….',
    }),
  'key-missing': ({ allowed }) => `This is missing. Allowed: ${any(allowed)}.`,
  'value-empty': ({ allowed, optional }) =>
    `This is empty. Allowed: ${any(allowed)}.${optional ? ' Or leave the key out.' : ''}`,
  'invalid-value': ({ found, allowed, quotes }) =>
    `${found === undefined ? 'This does not fit.' : `Found ${found}.`} Allowed: ${any(allowed)}.${quotes ? ' Put it in quotes.' : ''}`,
  'list-empty': ({ allowed }) => `This list is empty. Allowed: ${any(allowed)}.`,
  'unresolved-placeholder': ({ names }) =>
    `Nothing fills ${names.map((name) => `{${name}}`).join(', ')}. Set it in the environment, or as a file in $CREDENTIALS_DIRECTORY.`,
  'placeholder-broken': 'A placeholder is not whole. Allowed: {SERVICE_…} of letters, digits and _.',
  'placeholder-elsewhere': ({ names, prefix }) =>
    `${names.map((name) => `{${name}}`).join(', ')} can’t be used here. Allowed: {${prefix}…}.`,
  'placeholder-place':
    'A placeholder can be used among the credentials and in the query only, not in the host or path.',
  'host-prefix': 'It begins with __Host-, which browsers keep only where http.base_path is /.',
  'invalid-camera-name': 'The name of a camera is 1 to 64 letters, digits, _ and -.',
  'mask-corners': 'This is no area: an area has three corners or more.',
  'mask-corner': 'This is no corner. Allowed: two numbers from 0 to 1, how far from the left and from the top.',
  'no-motion-detection': 'Nothing looks for motion at this camera (motion.enabled is false), so everything is kept.',
  'unknown-camera': ({ camera }) => `There is no camera “${camera}”; this grants nothing.`,
  'no-sign-for-all': 'There is no sign for all cameras. Whoever is to see all is given viewer.',
  'same-port': ({ port }) => `${port} is networking.gate.port already. The two have to differ.`,
  'requires-key': ({ other }) => `This does not work alone. Give ${other} as well.`,
  'unknown-role': ({ role, roles }) => `There is no role “${role}”. There are: ${roles.join(', ')}.`,
  'no-header-name': ({ header }) => `“${header}” is no name of a header. A name with _ or . in it is never believed.`,
  'header-not-trusted': ({ header, file }) =>
    `The header “${header}” is not trusted: only those listed in ${file} are. To trust another, mount a list of your own over that file (or name it in TRUSTED_HEADERS_FILE) and start again.`,
  'invalid-secret': 'Allowed: printable ASCII characters, no blank at either end. A header carries nothing else.',
  'secret-short': ({ min }) =>
    plural(min, {
      one: 'A secret of fewer than # character can be guessed. Use a long random one.',
      other: 'A secret of fewer than # characters can be guessed. Use a long random one.',
    }),
  'proxy-unproven':
    'Needs proxy.auth_secret or proxy.trusted_peers while auth.enabled is true. Without them, any client could name itself in a header.',
  'no-user-header':
    'This is missing. With proxy.enabled and auth.enabled both true, this header says who signed in through the proxy.',
  'separator-control': 'It holds a control character, which no header can carry.',
  'trusts-everybody': 'This trusts every address there is.',
  'no-network': 'This is neither an address nor a network range, as 10.0.0.0/8 or fd00::/8.',
  'wrong-prefix': ({ max }) => `The number after the slash is not from 0 to ${max}.`,
  'ipv4-as-ipv6': ({ plainly }) =>
    `An IPv4 network written as IPv6 has 96 to 128 after the slash. Plainly it is ${plainly}.`,
}
