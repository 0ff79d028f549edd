import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('es')

export const cameras: AdminTexts['cameras'] = {
  title: 'Cámaras',
  lead: 'De dónde recibe Gatehouse las imágenes. Los cambios se aplican en cuanto se guardan.',
  list: 'Cámaras',
  add: 'Añadir cámara',
  emptyTitle: 'Todavía no hay cámaras',
  emptyBody: 'Añade una: necesitas su dirección y, si los pide, su nombre de usuario y su contraseña.',
  demos:
    'Estas son cámaras de demostración: se muestran porque config.yml no tiene ninguna. Tu primera cámara ocupará su lugar.',
  unreadable:
    'config.yml no se puede leer tal como está, así que aquí no se pueden cambiar las cámaras. Corrígelo primero.',
  openConfig: 'Abrir la configuración',
  states: { online: 'En línea', connecting: 'Conectando', offline: 'Sin conexión', disabled: 'Desactivada' },
  picture: (title) => `Última imagen de ${title}`,
  noPicture: 'Sin imagen',
  fps: (rate) =>
    plural(rate, { one: '# imagen por segundo', many: '# de imágenes por segundo', other: '# imágenes por segundo' }),
  source: 'Fuente',
  unknownSource: 'desconocida',
  roles: (roles) => `Además de admin y viewer, la ven: ${roles}`,
  edit: 'Editar',
  editOf: (title) => `Editar ${title}`,
  live: 'En vivo',
  liveOf: (title) => `Ver ${title} en vivo`,
  motion: 'Movimiento',
  motionOf: (title) => `Movimiento en ${title}`,
  remove: 'Quitar',
  removeOf: (title) => `Quitar ${title}`,
  removeTitle: (title) => `¿Quitar ${title}?`,
  removeBody:
    'Gatehouse deja de recibir sus imágenes al instante, y quien la esté viendo pierde la imagen. Su dirección se borra de config.yml.',
  removeRoles: (roles) => `También se quita de estos roles: ${roles}.`,
  removeOnly: (roles) =>
    `Roles que solo tienen esta cámara y ya no verán nada: ${roles}. Un rol tiene que incluir algo, así que el nombre sigue en su lista: una cámara nueva con ese nombre solo la verán cuando un administrador lo permita.`,
  removed: (title) => `Se ha quitado ${title}.`,
  removeChanged:
    'Alguien ha cambiado esta cámara o sus roles entretanto. Cierra este cuadro y comprueba de nuevo quién pierde el acceso.',
  form: {
    add: 'Añadir una cámara',
    edit: (title) => `Editar ${title}`,
    source: 'Fuente',
    sourceHelp:
      'Su dirección, por ejemplo rtsp://user:password@192.168.1.20/stream1. También un archivo de video dentro de la carpeta de medios, o demo:yard, demo:door, demo:office.',
    sourceReplace: 'Sustituir',
    sourceKeep: 'Conservar el origen actual',
    sourceMasked: 'La dirección está oculta porque puede contener una contraseña.',
    name: 'Nombre',
    nameHelp: 'Para direcciones y roles: letras, cifras, _ y -.',
    nameChanged: (roles) => `El nombre también se cambia en estos roles: ${roles}.`,
    used: {
      title: (name) => `El nombre ${name} ya se usó antes`,
      removed: (when) => `Su cámara se retiró el ${when}.`,
      listedOnly: 'Hay roles que lo incluyen, aunque ninguna cámara lo tuvo.',
      recordings: (oldest, newest, size) => `Grabaciones del ${oldest} al ${newest}, ${size}`,
      items: (count) => `Eventos: ${number(count)}`,
      exports: (count) => `Exportaciones: ${number(count)}`,
      roles: (roles) => `Roles que lo incluyen: ${roles}`,
      role: (name, users) => `${name} (usuarios: ${number(users)})`,
      inherit: 'Continuar con todo esto',
      inheritHelp: 'Solo si es la misma cámara. Si no, la cámara nueva empieza vacía y tú decides qué roles la ven.',
    },
    title: 'Título',
    titleHelp: 'Lo que leen las personas. Si falta, el nombre.',
    enabled: 'Activada',
    enabledHelp: 'Desactivada sigue en la lista, pero no se reciben imágenes.',
    keepDemos: 'Conservar las cámaras de demostración',
    save: 'Guardar',
    sourceMissing: 'Escribe de dónde viene la imagen.',
    nameMissing: 'Ponle un nombre.',
    nameWrong: 'De 1 a 64 letras, cifras, _ y -.',
    nameTaken: 'Ya hay una cámara con este nombre.',
    changedMeanwhile:
      'Alguien cambió esta cámara al mismo tiempo que tú. Cierra esto y empieza desde su estado actual.',
    others: 'En otras partes de config.yml:',
    added: (title) => `Se ha añadido ${title}. Aparecerá en cuanto responda.`,
    saved: (title) => `Se ha guardado ${title}.`,
  },
  secret: {
    title: 'La dirección contiene una contraseña',
    body: 'Quedaría escrita en config.yml, a la vista de quien pueda leer ese archivo. Un marcador de posición lo evita.',
    use: 'Usar un marcador de posición',
    how: (name) =>
      `Antes de guardar, pon la contraseña en un archivo llamado ${name} en la carpeta $CREDENTIALS_DIRECTORY (por defecto, /run/secrets), o define una variable de entorno con ese nombre y reinicia. Escribe la contraseña tal cual; se codifica sola.`,
  },
  test: {
    start: 'Probar la conexión',
    again: 'Probar otra vez',
    lead: 'Prueba la fuente durante 10 segundos como máximo. No se guarda nada.',
    running: (seconds) => `Conectando… ${seconds}`,
    progress: 'Prueba de conexión',
    value: (name) => `Valor de {${name}}, solo para esta prueba`,
    valueHelp:
      'En una prueba los marcadores de posición no se rellenan, para que ningún secreto se envíe a una dirección recién escrita.',
    works: 'Funciona',
    failed: 'Todavía no funciona',
    picture: 'Imagen de la prueba',
    facts: (codec, resolution, fps) => `${codec} · ${resolution}${fps === '' ? '' : ` · ${fps}`}`,
    hevc: 'No todos los navegadores pueden reproducir H.265. Si la imagen no se mueve, configura la cámara en H.264.',
    hints: {
      credentials:
        'Revisa el nombre de usuario y la contraseña. Muchas cámaras necesitan un usuario aparte para el video, que se crea en los ajustes de la cámara.',
      access: 'La cámara reconoce al usuario, pero no le deja ver el video. Da a ese usuario permiso para verlo.',
      path: 'El equipo responde, pero no en esta ruta. Busca la ruta de la transmisión en el manual de la cámara, por ejemplo /stream1 o /h264Preview_01_main.',
      port: 'El equipo está ahí, pero nada escucha en este puerto. Revisa el puerto (554 para RTSP) y que RTSP u ONVIF esté activado en la cámara.',
      silent: 'Revisa la dirección, que la cámara tenga corriente y que no haya un cortafuegos de por medio.',
      host: 'Revisa cómo está escrito, o usa la dirección IP.',
      video: 'Comprueba que la dirección sea la de una transmisión de video y configura la cámara en H.264.',
      file: 'Pon el archivo dentro de la carpeta de medios, de modo que Gatehouse pueda leerlo.',
      ffmpeg: 'Instala ffmpeg en el equipo donde se ejecuta Gatehouse.',
    },
  },
}
