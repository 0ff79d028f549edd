import { allowedIn } from '../allowed.ts'
import type { ConfigTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('zh-Hans')

const { any, either } = allowedIn('zh-Hans', {
  kinds: {
    boolean: 'true 或 false',
    null: 'null',
    text: '文本',
    'some-text': '非空文本',
    names: '以名称为键的表',
    keys: '由键组成的表',
    integer: '整数',
    number: '数字',
    'rate-limit': '<次数>/<单位>，多个以 ; 分隔，单位为 second、minute 或 hour；或 null',
    'cookie-name': "1 至 64 个字母、数字和 !#$%&'*+-.^_`|~",
    cameras: '至少含一个摄像头的列表',
    'camera-source':
      '地址（rtsp、rtsps、rtmp、http、https）、媒体文件夹内的文件（如 file:clips/yard.mp4），或 demo:yard、demo:door、demo:office',
    database: 'sqlite 或 postgres://user:password@host/database',
    'base-path': '以 / 开头，由字母、数字、-、_、. 和 ~ 组成的路径',
    'frame-ancestor': "'self'、'none'，或 Content-Security-Policy 中的来源，如 https://home.example",
    origin: '协议和主机，端口非默认时也要写上，如 https://home.example:8123',
    host: 'IP 地址或主机名',
    'host-name': '不带端口的主机名',
    'trusted-header': '受信任列表中的请求头，或 null',
    secret: '由可打印 ASCII 字符组成的文本，或 null',
    networks: '至少含一个地址或网段的列表，或 null',
    network: '地址或网段，如 10.0.0.0/8 或 fd00::/8',
    role: 'admin、viewer 或 auth.roles 中的角色；或 null',
    link: 'http:// 或 https:// 地址，或本站以 / 开头的路径；或 null',
    file: '路径（绝对路径，或相对于配置文件夹）或 null',
    polygons: '区域列表，每个区域至少有三个角，每个角为 [x, y]，取值 0 至 1',
  },
  range: {
    between: (min, max) => `（${min} 至 ${max}）`,
    min: (min) => `（不小于 ${min}）`,
    above: (above) => `（大于 ${above}）`,
  },
  list: (each) => `列表，每一项为${each}`,
})

export const configProblems: ConfigTexts = {
  'not-utf8': '此文件不是 UTF-8 文本。',
  'control-character-in-file': '此处有控制字符，只允许文本。',
  'no-keys': '配置中没有任何键。至少需要一个，例如 auth: {}。',
  'no-yaml': ({ message }) => `不是有效的 YAML：${message}。`,
  'yaml-tag': '不是有效的 YAML：不允许使用标签（!…）。',
  'second-document': '不是有效的 YAML：此处开始了第二个文档。',
  'key-no-name': '键必须是普通名称。',
  'duplicate-key': ({ key, line }) => `键 ${key} 在此重复，第 ${line} 行已有。`,
  'unknown-key': ({ key, keys }) =>
    keys.length === 0 ? `此处没有键 ${key}。` : `此处没有键 ${key}。可用的键：${keys.join('、')}。`,
  'unknown-key-meant': ({ key, meant }) => `此处没有键 ${key}。是否应为 ${either(meant)}？`,
  'unknown-alias': '引用的名称（*…）不存在。',
  'repeats-too-much': ({ max }) => plural(max, { other: '重复过多：通过 *… 得到的值最多 # 个。' }),
  'key-missing': ({ allowed }) => `缺少此项。可用值：${any(allowed)}。`,
  'value-empty': ({ allowed, optional }) => `此项为空。可用值：${any(allowed)}。${optional ? '也可以删去此键。' : ''}`,
  'invalid-value': ({ found, allowed, quotes }) =>
    `${found === undefined ? '不符合要求。' : `此处为 ${found}。`}可用值：${any(allowed)}。${quotes ? '请加上引号。' : ''}`,
  'list-empty': ({ allowed }) => `此列表为空。可用值：${any(allowed)}。`,
  'unresolved-placeholder': ({ names }) =>
    `${names.map((name) => `{${name}}`).join('、')} 没有值。请在环境变量中设置，或在 $CREDENTIALS_DIRECTORY 中放置文件。`,
  'placeholder-broken': '占位符不完整。允许：{SERVICE_…}，由字母、数字和 _ 组成。',
  'placeholder-elsewhere': ({ names, prefix }) =>
    `此处不能使用 ${names.map((name) => `{${name}}`).join('、')}。允许：{${prefix}…}。`,
  'placeholder-place': '占位符只能用在凭据和查询中，不能用在主机或路径中。',
  'host-prefix': '名称以 __Host- 开头，只有 http.base_path 为 / 时浏览器才会保留。',
  'invalid-camera-name': '摄像头名称由 1 至 64 个字母、数字、_ 和 - 组成。',
  'mask-corners': '这不是区域：区域至少有三个角。',
  'mask-corner': '这不是角。允许：两个 0 至 1 的数，即距左边和上边的比例。',
  'no-motion-detection': '此摄像头不侦测移动（motion.enabled 为 false），因此全部保留。',
  'unknown-camera': ({ camera }) => `没有摄像头“${camera}”，此项不授予任何权限。`,
  'no-sign-for-all': '没有代表全部摄像头的符号。需要查看全部的人，请授予 viewer。',
  'same-port': ({ port }) => `${port} 已用于 networking.gate.port，两者必须不同。`,
  'requires-key': ({ other }) => `不能单独使用，请同时设置 ${other}。`,
  'unknown-role': ({ role, roles }) => `没有角色“${role}”。现有角色：${roles.join('、')}。`,
  'no-header-name': ({ header }) => `“${header}”不是请求头名称。含有 _ 或 . 的名称一律不予信任。`,
  'header-not-trusted': ({ header, file }) =>
    `请求头“${header}”不受信任，只信任 ${file} 中列出的请求头。要信任其他请求头，请挂载自己的列表替换该文件（或在 TRUSTED_HEADERS_FILE 中指定），然后重新启动。`,
  'invalid-secret': '允许：可打印的 ASCII 字符，首尾不能有空格。请求头无法携带其他字符。',
  'secret-short': ({ min }) => plural(min, { other: '少于 # 个字符的密钥可能被猜出。请使用较长的随机密钥。' }),
  'proxy-unproven':
    '当 auth.enabled 为 true 时，需要 proxy.auth_secret 或 proxy.trusted_peers。否则任何客户端都能在请求头中冒充用户。',
  'no-user-header': '缺少此项。当 proxy.enabled 和 auth.enabled 都为 true 时，此请求头表明谁通过代理登录。',
  'separator-control': '含有控制字符，请求头无法携带。',
  'trusts-everybody': '这会信任所有地址。',
  'no-network': '这既不是地址，也不是网段，如 10.0.0.0/8 或 fd00::/8。',
  'wrong-prefix': ({ max }) => `斜杠后的数字不在 0 至 ${max} 之间。`,
  'ipv4-as-ipv6': ({ plainly }) => `以 IPv6 写法表示的 IPv4 网络，斜杠后应为 96 至 128。更简单的写法：${plainly}。`,
}
