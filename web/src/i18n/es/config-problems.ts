import { allowedIn } from '../allowed.ts'
import type { ConfigTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('es')

const { any, either } = allowedIn('es', {
  kinds: {
    boolean: 'true o false',
    null: 'null',
    text: 'un texto',
    'some-text': 'un texto que no esté vacío',
    names: 'una tabla de nombres',
    keys: 'una tabla de claves',
    integer: 'un número entero',
    number: 'un número',
    'rate-limit': '<cantidad>/<unidad>, varias separadas por ;, con la unidad second, minute u hour; o null',
    'cookie-name': "de 1 a 64 letras sin tilde, cifras y !#$%&'*+-.^_`|~",
    cameras: 'una lista de al menos una cámara',
    'camera-source':
      'una dirección (rtsp, rtsps, rtmp, http, https), un archivo de la carpeta de medios como file:clips/yard.mp4, o demo:yard, demo:door, demo:office',
    database: 'sqlite o postgres://user:password@host/database',
    'base-path': 'una ruta de letras sin tilde, cifras, -, _, . y ~ que empiece por /',
    'frame-ancestor':
      "'self', 'none' o una fuente como en una Content-Security-Policy, por ejemplo https://home.example",
    origin: 'un esquema y un host, con el puerto si no es el habitual, por ejemplo https://home.example:8123',
    host: 'una dirección IP o un nombre de host',
    'host-name': 'un nombre de host sin puerto',
    'trusted-header': 'una cabecera de la lista de confianza, o null',
    secret: 'un texto de caracteres ASCII imprimibles, o null',
    networks: 'una lista de al menos una dirección o un rango de red, o null',
    network: 'una dirección o un rango de red, como 10.0.0.0/8 o fd00::/8',
    role: 'admin, viewer o un rol de auth.roles; o null',
    link: 'una dirección http:// o https://, o una ruta de este sitio que empiece por /; o null',
    file: 'una ruta (absoluta o dentro de la carpeta de configuración) o null',
    polygons: 'una lista de áreas, cada una con tres esquinas o más, cada una [x, y] de 0 a 1',
  },
  range: {
    between: (min, max) => ` de ${min} a ${max}`,
    min: (min) => `, ${min} o más`,
    above: (above) => ` mayor que ${above}`,
  },
  list: (each) => `una lista, y cada elemento: ${each}`,
})

export const configProblems: ConfigTexts = {
  'not-utf8': 'El archivo no es texto en UTF-8.',
  'control-character-in-file': 'Aquí hay un carácter de control. Solo se permite texto.',
  'no-keys': 'La configuración no contiene ninguna clave. Necesita al menos una, por ejemplo auth: {}.',
  'no-yaml': ({ message }) => `No es YAML válido: ${message}.`,
  'yaml-tag': 'No es YAML válido: no se permiten etiquetas (!…).',
  'second-document': 'No es YAML válido: aquí empieza un segundo documento.',
  'key-no-name': 'Una clave tiene que ser un nombre simple.',
  'duplicate-key': ({ key, line }) => `La clave ${key} se repite aquí; ya está en la línea ${line}.`,
  'unknown-key': ({ key, keys }) =>
    keys.length === 0
      ? `La clave ${key} no existe aquí.`
      : `La clave ${key} no existe aquí. Existen: ${keys.join(', ')}.`,
  'unknown-key-meant': ({ key, meant }) => `La clave ${key} no existe aquí. ¿Quizás ${either(meant)}?`,
  'unknown-alias': 'Repite un nombre (*…) que nada lleva.',
  'repeats-too-much': ({ max }) =>
    plural(max, {
      one: 'Demasiadas repeticiones: como máximo # valor puede venir de *….',
      many: 'Demasiadas repeticiones: como máximo # de valores pueden venir de *….',
      other: 'Demasiadas repeticiones: como máximo # valores pueden venir de *….',
    }),
  'key-missing': ({ allowed }) => `Falta este dato. Se permite: ${any(allowed)}.`,
  'value-empty': ({ allowed, optional }) =>
    `Está vacío. Se permite: ${any(allowed)}.${optional ? ' También puedes quitar la clave.' : ''}`,
  'invalid-value': ({ found, allowed, quotes }) =>
    `${found === undefined ? 'No es válido.' : `Aquí pone ${found}.`} Se permite: ${any(allowed)}.${quotes ? ' Ponlo entre comillas.' : ''}`,
  'list-empty': ({ allowed }) => `Esta lista está vacía. Se permite: ${any(allowed)}.`,
  'unresolved-placeholder': ({ names }) =>
    `No hay valor para ${names.map((name) => `{${name}}`).join(', ')}. Ponlo en el entorno o como archivo en $CREDENTIALS_DIRECTORY.`,
  'placeholder-broken': 'Un marcador no está completo. Se permite: {SERVICE_…} con letras sin tilde, cifras y _.',
  'placeholder-elsewhere': ({ names, prefix }) =>
    `Aquí no se puede usar ${names.map((name) => `{${name}}`).join(', ')}. Se permite: {${prefix}…}.`,
  'placeholder-place':
    'Un marcador solo se puede usar en las credenciales y en la consulta, no en el host ni en la ruta.',
  'host-prefix': 'Empieza por __Host-, y los navegadores solo guardan esa cookie si http.base_path es /.',
  'invalid-camera-name': 'El nombre de una cámara tiene de 1 a 64 letras sin tilde, cifras, _ y -.',
  'mask-corners': 'Esto no es un área: un área tiene tres esquinas o más.',
  'mask-corner':
    'Esto no es una esquina. Se permiten dos números de 0 a 1: la distancia desde la izquierda y desde arriba.',
  'no-motion-detection': 'En esta cámara no se busca movimiento (motion.enabled es false), así que se conserva todo.',
  'unknown-camera': ({ camera }) => `No existe la cámara «${camera}»; esto no da acceso a nada.`,
  'no-sign-for-all': 'No hay un signo para todas las cámaras. Quien deba verlas todas recibe viewer.',
  'same-port': ({ port }) => `${port} ya es networking.gate.port. Los dos tienen que ser distintos.`,
  'requires-key': ({ other }) => `Esto no funciona solo. Indica también ${other}.`,
  'unknown-role': ({ role, roles }) => `No existe el rol «${role}». Hay: ${roles.join(', ')}.`,
  'no-header-name': ({ header }) =>
    `«${header}» no es un nombre de cabecera. Nunca se cree un nombre que contenga _ o un punto.`,
  'header-not-trusted': ({ header, file }) =>
    `La cabecera «${header}» no es de confianza: solo lo son las de ${file}. Para confiar en otra, monta una lista propia sobre ese archivo (o indícala en TRUSTED_HEADERS_FILE) y vuelve a arrancar.`,
  'invalid-secret':
    'Se permite: caracteres ASCII imprimibles, sin espacios al principio ni al final. Una cabecera no lleva nada más.',
  'secret-short': ({ min }) =>
    plural(min, {
      one: 'Un secreto de menos de # carácter se puede adivinar. Use uno largo y aleatorio.',
      many: 'Un secreto de menos de # de caracteres se puede adivinar. Use uno largo y aleatorio.',
      other: 'Un secreto de menos de # caracteres se puede adivinar. Use uno largo y aleatorio.',
    }),
  'proxy-unproven':
    'Necesita proxy.auth_secret o proxy.trusted_peers mientras auth.enabled sea true. Sin ellos, cualquier cliente podría nombrarse a sí mismo en una cabecera.',
  'no-user-header':
    'Falta. Con proxy.enabled y auth.enabled en true, esta cabecera dice quién inició sesión a través del proxy.',
  'separator-control': 'Contiene un carácter de control, que ninguna cabecera puede llevar.',
  'trusts-everybody': 'Esto confía en todas las direcciones que existen.',
  'no-network': 'No es una dirección ni un rango de red, como 10.0.0.0/8 o fd00::/8.',
  'wrong-prefix': ({ max }) => `El número tras la barra no está entre 0 y ${max}.`,
  'ipv4-as-ipv6': ({ plainly }) =>
    `Una red IPv4 escrita como IPv6 lleva de 96 a 128 tras la barra. Más simple: ${plainly}.`,
}
