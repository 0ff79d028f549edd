import type { ServiceTexts } from '../sentences.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('es')

const gigabytes = (bytes: number): string =>
  (bytes / 1e9).toLocaleString('es', { maximumFractionDigits: bytes < 1e8 ? 3 : 1 })

export const service: ServiceTexts = {
  refusals: {
    'invalid-request': 'Los datos enviados no son válidos.',
    'unsafe-path': 'Esta dirección es ambigua.',
    'login-failed': 'El nombre de usuario o la contraseña no son correctos.',
    unauthenticated: 'Primero inicia sesión.',
    forbidden: 'Tu rol no lo permite.',
    'cross-origin': 'Una página de otro sitio no puede hacer esto.',
    'wrong-password': 'La contraseña anterior no es correcta.',
    'not-found': 'No hay nada con ese nombre.',
    'method-not-allowed': 'Esto no se puede hacer aquí.',
    'upgrade-required': 'Esto solo se ofrece como WebSocket.',
    conflict: 'Esto no es compatible con lo que ya hay.',
    'precondition-failed': 'Alguien lo cambió mientras tanto.',
    'precondition-required': 'Falta indicar qué versión se cambió.',
    'too-large': 'Es demasiado grande.',
    'unsupported-media-type': 'Aquí no se acepta este tipo de contenido.',
    misdirected: 'Gatehouse no se conoce aquí con este nombre.',
    'too-many-attempts': 'Demasiados intentos fallidos. Inténtalo más tarde.',
    busy: 'Gatehouse está ocupado. Inténtalo dentro de un momento.',
    unavailable: 'Gatehouse no puede responder ahora. Inténtalo dentro de un momento.',
    'no-space': 'No queda espacio en el disco para esto.',
    internal: 'Algo ha fallado; el registro del servicio dice qué.',
    'no-role-from-proxy':
      'No te corresponde ningún rol: el proxy con el que iniciaste sesión no envía ninguno que exista aquí, y proxy.default_role no está definido.',
    'role-deleted': 'Tu rol ya no existe. Pide otro a un administrador.',
    'no-such-user': 'Ese usuario no existe.',
    'no-such-role': 'Ese rol no existe.',
    'no-such-session': 'Esa sesión no existe.',
    'no-such-camera': 'Esa cámara no existe.',
    'name-taken': 'Ya hay un usuario con ese nombre.',
    'camera-name-taken': 'Ya hay una cámara con este nombre.',
    'role-name-taken': 'Ya hay un rol con este nombre.',
    'last-admin': 'Es el único administrador. Nombra antes a otro.',
    'password-changed': 'La contraseña se cambió mientras tanto.',
    'built-in-role': 'Este rol es fijo: no se puede cambiar ni eliminar.',
    'proxy-auth-enabled': 'La sesión se inicia en el proxy; aquí no hay inicio de sesión.',
    'proxy-secret-required': 'A Gatehouse se llega a través de su proxy.',
    'https-needed':
      'Inicia sesión por HTTPS: auth.cookie_same_site es none, y los navegadores solo guardan esa cookie allí.',
    'login-queue-full': 'Demasiadas personas están iniciando sesión. Inténtalo de nuevo.',
    'no-password-check': 'Ahora mismo no se pueden comprobar las contraseñas. Inténtalo de nuevo.',
    'connection-test-busy': 'Se están probando otras fuentes. Inténtalo dentro de un momento.',
    'snapshot-queue-full': 'Se piden demasiadas imágenes.',
    'no-picture': 'Todavía no hay imagen.',
    'segment-expired': 'Este momento ya pasó.',
    'nothing-recorded': 'No se grabó nada en ese momento.',
    'recording-deleted': 'Esta grabación ya no existe.',
    'no-thumbnail': 'No hay imagen de este momento.',
    'video-format-changed': () => 'La cámara cambió de imagen entretanto. Elige un momento anterior o posterior.',
    'no-ffmpeg': 'ffmpeg no está instalado y sin él no se puede exportar nada.',
    'export-limit-own': ({ needed, left, limit }) =>
      `Tus exportaciones pueden ocupar ${gigabytes(limit)} GB. Quedan ${gigabytes(left)} GB y esta necesita unos ${gigabytes(needed)} GB. Exporta menos o pide a un administrador que elimine exportaciones.`,
    'export-limit-all': ({ needed, left, limit }) =>
      left === null
        ? `Todas las exportaciones juntas pueden ocupar ${gigabytes(limit)} GB, y esta superaría ese límite. Pide a un administrador que elimine exportaciones.`
        : `Todas las exportaciones juntas pueden ocupar ${gigabytes(limit)} GB. Quedan ${gigabytes(left)} GB y esta necesita unos ${gigabytes(needed)} GB. Exporta menos o elimina exportaciones.`,
    'export-no-space': ({ needed, free }) =>
      free === null
        ? `No hay espacio suficiente en el disco para esta exportación: hacen falta unos ${gigabytes(needed)} GB. Exporta menos o pide a un administrador que libere espacio.`
        : `No hay espacio suficiente en el disco: hacen falta unos ${gigabytes(needed)} GB y quedan ${gigabytes(free)} GB para exportaciones. Exporta menos o libera espacio.`,
    'many-exports': ({ max }) =>
      plural(max, {
        one: 'Ya hay # exportación en espera. Inténtalo cuando termine.',
        many: 'Ya hay # de exportaciones en espera. Inténtalo cuando termine alguna.',
        other: 'Ya hay # exportaciones en espera. Inténtalo cuando termine alguna.',
      }),
    'many-own-exports': ({ max }) =>
      plural(max, {
        one: 'Ya tienes # exportación en espera. Inténtalo cuando termine.',
        many: 'Ya tienes # de exportaciones en espera. Inténtalo cuando termine alguna.',
        other: 'Ya tienes # exportaciones en espera. Inténtalo cuando termine alguna.',
      }),
    'many-streams': ({ max }) =>
      `Tienes ${max} transmisiones abiertas, el máximo por usuario. Cierra antes otras páginas.`,
    'no-such-export': 'No existe esa exportación.',
    'export-not-done': 'Esta exportación no está terminada.',
    'export-ended': 'Esta exportación ya ha terminado.',
    'export-file-gone': 'El archivo de esta exportación ya no está en el disco.',
    'database-unavailable': 'La base de datos no está disponible en este momento.',
    'no-authority': 'Gatehouse no tiene aquí una autoridad de certificación propia.',
    'config-problems': ({ count }) =>
      plural(count, {
        one: 'La configuración tiene # problema.',
        many: 'La configuración tiene # de problemas.',
        other: 'La configuración tiene # problemas.',
      }),
    'orphaned-roles': ({ roles, users }) =>
      `Estos usuarios tendrían un rol que no existe (${roles.join(', ')}) y no verían nada: ${users.join(', ')}.`,
    'config-not-editable': 'config.yml está escrito de modo que esto solo se puede cambiar a mano.',
    'config-not-active':
      'config.yml se cambió a mano y no está en vigor, porque no es válido o está vacío. Corrígelo primero.',
    'config-not-applied': 'La configuración no se pudo aplicar; sigue en vigor la anterior. El registro dice por qué.',
    'config-not-written': ({ error }) =>
      `No se puede reemplazar config.yml (${error}): monta con escritura la carpeta que lo contiene, no solo el archivo.`,
    'disk-full': ({ error }) => `No se puede reemplazar config.yml (${error}): el disco está lleno.`,
    'config-changed': 'config.yml ha cambiado desde que lo leíste.',
    'role-changed': 'Este rol ha cambiado desde que lo leíste.',
    'nothing-to-confirm': 'No hay nada que confirmar: puede que otro administrador ya lo haya hecho.',
  },
  problems: {
    missing: 'Falta este dato.',
    'not-known': 'Esto no se conoce aquí.',
    repeated: 'Se indica más de una vez.',
    'before-start': 'El final tiene que ser al menos un segundo posterior al inicio.',
    'span-too-long': ({ hours }) =>
      plural(hours, {
        one: 'Demasiado largo: como máximo # hora.',
        many: 'Demasiado largo: como máximo # de horas.',
        other: 'Demasiado largo: como máximo # horas.',
      }),
    'still-to-come': 'Eso está en el futuro. Solo se puede exportar lo que ya está grabado.',
    'wrong-type': () => 'No es del tipo correcto.',
    'not-one-of': ({ allowed }) => `Aquí se permite: ${allowed.join(', ')}.`,
    'too-short': ({ min }) =>
      plural(min, {
        one: 'Demasiado corto: al menos # carácter.',
        many: 'Demasiado corto: al menos # de caracteres.',
        other: 'Demasiado corto: al menos # caracteres.',
      }),
    'too-long': ({ max }) =>
      plural(max, {
        one: 'Demasiado largo: como máximo # carácter.',
        many: 'Demasiado largo: como máximo # de caracteres.',
        other: 'Demasiado largo: como máximo # caracteres.',
      }),
    'too-few': ({ min }) => `Demasiado pocos: al menos ${number(min)}.`,
    'too-many': ({ max }) => `Demasiados: como máximo ${number(max)}.`,
    'too-small': ({ min }) => `Demasiado pequeño: al menos ${number(min)}.`,
    'too-large': ({ max }) => `Demasiado grande: como máximo ${max}.`,
    'wrong-form': 'No tiene la forma correcta.',
    misfit: 'No es válido.',
    'masked-source': '*** ocupa el lugar de lo que no se muestra. Escribe el origen completo.',
    'user-or-others': 'Indica un usuario u others=true.',
    'user-or-headers': 'Indica un usuario o cabeceras, no ambos.',
    'ids-or-filter': 'Indica eventos o un filtro, no ambos.',
    'invalid-username': 'Usa de 1 a 64 letras sin tilde, cifras y . _ - @ +.',
    'no-letter': 'Usa al menos una letra o una cifra.',
    'reserved-name': 'Este nombre está reservado.',
    'invalid-role-name': 'Usa de 1 a 64 letras sin tilde, cifras, puntos y guiones bajos.',
    'built-in-name': 'Así se llama un rol fijo.',
    'reserved-word': 'Es una palabra reservada.',
    'differs-in-case': ({ other }) => `Ya hay un rol ${other}; solo se diferencia en las mayúsculas.`,
    'no-such-role': ({ roles }) => `Ese rol no existe. Hay: ${roles.join(', ')}.`,
    'given-password': 'Es la contraseña que recibiste. Elige otra.',
    'not-for-own': 'Solo vale para la contraseña de otro usuario.',
    'printed-password': 'Es la contraseña del registro. Elige otra.',
    'too-many-bytes': ({ max }) =>
      plural(max, {
        one: 'Demasiado larga: como máximo # byte.',
        many: 'Demasiado larga: como máximo # de bytes.',
        other: 'Demasiado larga: como máximo # bytes.',
      }),
    'control-character': 'Contiene un carácter que no se puede teclear, como una tabulación o un salto de línea.',
    'is-user-name': 'La contraseña no puede ser el nombre de usuario.',
    'service-words': 'Solo contiene palabras de este servicio, que son las primeras que se prueban.',
    'common-password': 'Es una de las contraseñas más comunes.',
    'invalid-source': 'La fuente contiene un espacio, un carácter de control o una barra invertida.',
    'no-demo-scene': 'Esa escena de demostración no existe. Hay demo:yard, demo:door y demo:office.',
    'protocol-not-allowed': 'Solo se permiten rtsp, rtsps, rtmp, http y https.',
    'no-whole-address': 'No es una dirección completa con un host.',
    'no-plain-path': 'No es una dirección ni la ruta simple de un archivo.',
    'outside-media': 'Este archivo está fuera de la carpeta de medios.',
  },
  cameras: {
    'wrong-credentials': 'La cámara rechazó el nombre de usuario o la contraseña (401).',
    'access-refused': 'La cámara denegó el acceso (403).',
    'no-such-stream': 'La cámara no tiene ese flujo (404).',
    'camera-error': 'La cámara respondió con un error propio.',
    'connection-refused': 'Nada responde en la dirección de la cámara (conexión rechazada).',
    'timed-out': 'La cámara no responde (tiempo agotado).',
    'no-route': 'No hay camino hasta la dirección de la cámara.',
    'host-unknown': 'No se conoce el nombre de host de la cámara.',
    'connection-closed': 'La cámara cerró la conexión.',
    'protocol-refused': 'La fuente lleva a un protocolo que no está permitido.',
    'other-host': 'La fuente lleva a otro equipo. Introduzca la dirección a la que lleva.',
    'no-video': 'La fuente no tiene vídeo.',
    'unreadable-video': 'Lo que envía la fuente no es un vídeo legible.',
    'decoder-slow':
      'No se descodificó ninguna imagen a tiempo: el equipo está demasiado ocupado o el vídeo está dañado.',
    'no-such-file': 'Ese archivo no existe.',
    'file-refused': 'No se permite leer el archivo.',
    'disk-full': 'El disco está lleno.',
    'unknown-video': 'La fuente envía un tipo de vídeo que no se puede retransmitir.',
    'ffmpeg-not-started': 'No se pudo iniciar ffmpeg.',
    'connection-broke': 'Se interrumpió la conexión con la cámara.',
    'ffmpeg-missing': 'ffmpeg no está instalado.',
    'unreadable-source': 'No se puede leer la fuente.',
    'outside-media': 'El archivo está fuera de la carpeta de medios.',
    'video-format-changed': 'La cámara cambió su imagen.',
    'unplayable-video': 'La fuente envía un vídeo que los navegadores no reproducen. Configura la cámara en H.264.',
    'stream-ended': 'La cámara terminó el flujo.',
    'demo-without-encoder':
      'No se pudo crear la escena de demostración: este ffmpeg no tiene codificador H.264 (libx264 o libopenh264).',
    'no-data': ({ seconds }) => `La cámara no ha enviado nada en ${seconds} s.`,
    'no-picture': ({ seconds }) => `No llegó ninguna imagen en ${seconds} s.`,
    'demo-failed': () => 'No se pudo crear la escena de demostración. El registro dice por qué.',
  },
  recordings: {
    'disk-full': 'el disco está lleno',
    'disk-read-only': 'no se puede escribir en el disco',
    'disk-slow': 'el disco es demasiado lento',
    'disk-error': 'el disco falla',
  },
  exports: {
    canceled: 'Se canceló.',
    'recording-deleted': 'La grabación se eliminó antes de poder exportarla.',
    'nothing-recorded': 'No se grabó nada en ese momento.',
    'video-format-changed': () =>
      'La cámara cambió de imagen entretanto. Exporta por separado lo anterior y lo posterior.',
    'disk-full': 'El disco está lleno.',
    'limit-reached': 'Las exportaciones ocupan todo el espacio que pueden.',
    'disk-refuses': 'No se pudo leer o escribir en el disco.',
    'ffmpeg-missing': 'ffmpeg no está instalado.',
    'ffmpeg-failed': 'No se pudo crear el archivo. El registro dice por qué.',
    'interrupted-often': 'Gatehouse se cerró varias veces mientras se creaba.',
    'took-too-long': 'Dejó de avanzar.',
    'file-gone': 'Su archivo ya no está en el disco.',
  },
  rules: {
    'given-by-admin': 'la base de datos: un administrador se lo dio a este usuario',
    'group-gives-role': ({ role, group }) => `proxy.header_map.role_map.${role} incluye el grupo «${group}»`,
    'header-names-role': ({ role }) => `la cabecera de roles nombra el rol ${role}`,
    'group-none-default': () =>
      'no se envió ningún grupo de proxy.header_map.role_map, así que vale proxy.default_role',
    'header-none-default': () => 'nada en la cabecera de roles es un rol, así que vale proxy.default_role',
    'group-none': 'no se envió ningún grupo de proxy.header_map.role_map, y proxy.default_role no está definido',
    'header-none': 'nada en la cabecera de roles es un rol, y proxy.default_role no está definido',
    'group-none-default-gone': ({ role }) =>
      `no se envió ningún grupo de proxy.header_map.role_map, y el rol ${role} de proxy.default_role no existe`,
    'header-none-default-gone': ({ role }) =>
      `nada en la cabecera de roles es un rol, y el rol ${role} de proxy.default_role no existe`,
    'untrusted-peer': 'el origen no está en proxy.trusted_peers',
    'wrong-secret': 'X-Proxy-Secret no es el secreto',
    'user-header-twice': 'la cabecera de usuario llega dos veces con valores distintos',
    'signs-in-here': 'sin cabecera de usuario, una petición inicia sesión en el propio Gatehouse',
    'user-header-missing': 'la cabecera de usuario falta o está vacía',
    'user-header-no-name': 'la cabecera de usuario no contiene un nombre',
    'role-header-twice': 'la cabecera de roles llega dos veces con valores distintos',
  },
}
