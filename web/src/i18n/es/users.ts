import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('es')

export const users: AdminTexts['users'] = {
  lead: 'Todas las personas que inician sesión en este Gatehouse con contraseña.',
  add: 'Añadir usuario',
  search: 'Buscar usuarios',
  allRoles: 'Todos los roles',
  filterRole: 'Rol',
  count: (shown, all) => (shown === all ? `${number(all)} en total` : `${number(shown)} de ${number(all)}`),
  list: 'Usuarios',
  name: 'Nombre',
  role: 'Rol',
  noRoleYet: 'Elegir un rol',
  lastLogin: 'Último inicio de sesión',
  created: 'Añadido',
  never: 'Nunca',
  you: 'Tú',
  noneTitle: 'Sin coincidencias',
  none: 'Ningún nombre ni rol coincide con lo que buscas.',
  clear: 'Mostrar todos los usuarios',
  pages: 'Páginas de la lista',
  pageNumber: (page) => `Página ${page}`,
  nextPage: 'Página siguiente',
  previousPage: 'Página anterior',
  byProxy:
    'Tu proxy se encarga del inicio de sesión, así que nadie entra con lo que se define aquí. Volverá a contar cuando auth.enabled sea true.',
  noSuchRole: (role) => `No hay ningún rol ${role}: no da acceso a nada.`,

  newTitle: 'Añadir un usuario',
  nameHint: 'Letras, cifras y . _ - @ +. Al iniciar sesión, las mayúsculas no importan.',
  nameMissing: 'Escribe un nombre.',
  nameTaken: 'Ya hay un usuario con ese nombre.',
  password: 'Contraseña',
  passwordMissing: 'Escribe una contraseña o genera una.',
  make: 'Generar una',
  made: 'Se ha generado una contraseña nueva.',
  create: 'Añadir usuario',
  advice: {
    empty: 'Al menos 12 caracteres. Genera una aquí, o usa tres o cuatro palabras sin relación entre sí.',
    userName: 'No puede ser el nombre del usuario.',
    containsName: 'Contiene el nombre del usuario, y eso la hace más fácil de adivinar.',
    fine: 'Es bastante larga. Si nadie que conozca a esta persona puede adivinarla, es buena.',
  },

  sees: {
    admin: 'Puede hacerlo todo: todas las cámaras, los usuarios, los roles y la configuración.',
    viewer: 'Ve todas las cámaras y no cambia nada.',
    cameras: (list) => `Ve ${list}, y ninguna otra cámara.`,
    more: (count) => plural(count, { other: '# más' }),
    nothing: 'No ve ninguna cámara.',
  },

  handOver: (name) => `Entrega esto a ${name}`,
  handOverLead: () => 'La contraseña solo se muestra ahora. Entrégala de forma segura; se puede cambiar en Cuenta.',
  copy: 'Copiar',
  copied: 'Copiado',
  copyName: 'Copiar el nombre',
  copyPassword: 'Copiar la contraseña',
  done: 'Listo',

  all: 'Todos los usuarios',
  goneTitle: 'No existe ese usuario',
  gone: (name) => `No hay ningún usuario ${name}. Quizá alguien lo eliminó o le cambió el nombre.`,
  since: (when) => `Añadido el ${when}`,
  seen: (when) => `Último inicio de sesión: ${when}`,
  neverSeen: 'Nunca ha iniciado sesión',
  roleTitle: 'Rol',
  roleLead: 'Vale desde la siguiente solicitud, y también para lo que ya está abierto.',
  saveRole: 'Cambiar rol',
  roleChanged: (name, role) => `${name} ahora es ${role}.`,
  roleOvertakenTitle: 'Alguien cambió el rol mientras tanto',
  roleOvertaken: (name, theirs, mine) =>
    `${name} ahora es ${theirs}. Tu elección se conserva: cambia el rol otra vez para que sea ${mine}.`,
  roleOf: (role) => `Sobre el rol ${role}`,
  ownRoleTitle: '¿Renunciar a tu propio rol admin?',
  ownRoleBody: (role) =>
    `A partir de ahora serás ${role} y ya no podrás entrar en estos ajustes. Solo otro admin puede devolverte el rol.`,
  ownRoleConfirm: 'Renunciar a mi rol admin',
  lastAdmin:
    'Este es el único admin, así que el rol se queda y el usuario no se puede eliminar. Haz admin a otro usuario primero.',
  lastAdminRefused: 'Este es el único admin que queda. Haz admin a otro usuario primero.',

  passwordTitle: 'Contraseña',
  passwordLead: 'Una contraseña nueva cierra al instante todas sus sesiones.',
  setPassword: 'Establecer contraseña',
  ownPassword: 'Tu propia contraseña se cambia en Cuenta, donde demuestras que conoces la actual.',
  toAccount: 'Ir a Cuenta',

  sessionsTitle: 'Sesiones',
  sessionsLead: 'Cada navegador o programa en el que este usuario tiene la sesión iniciada.',
  noSessions: 'No tiene ninguna sesión abierta.',
  endAll: 'Cerrar todas las sesiones',
  endAllOthers: 'Cerrar las demás sesiones',
  endAllTitle: (name) => `¿Cerrar todas las sesiones de ${name}?`,
  endAllBody: (count, name) =>
    plural(
      count,
      {
        one: 'La sesión de {name} se cierra al instante en # navegador o programa, y lo que muestre se detiene. Podrá volver a iniciar sesión.',
        many: 'Las sesiones de {name} se cierran al instante en # de navegadores y programas, y lo que muestren se detiene. Podrá volver a iniciar sesión.',
        other:
          'Las sesiones de {name} se cierran al instante en # navegadores y programas, y lo que muestren se detiene. Podrá volver a iniciar sesión.',
      },
      { name },
    ),
  allEnded: 'Se han cerrado todas las sesiones.',
  moreSessions: (count) => plural(count, { other: 'Mostrar # más' }),
  deleteTitle: 'Eliminar este usuario',
  deleteLead: 'Elimina la cuenta. Las grabaciones y las cámaras quedan como están.',
  delete: 'Eliminar usuario',
  deleteAsk: (name) => `¿Eliminar a ${name}?`,
  deleteBody: (name) =>
    `Todas las sesiones de ${name} se cierran al instante, lo que esté abierto se detiene y la contraseña se pierde. No se puede deshacer: un usuario nuevo con el mismo nombre empieza de cero.`,
  deleteSelf:
    'Este usuario eres tú. Tu sesión se cierra al instante, y solo otro admin puede crearte una cuenta nueva.',
  deleted: (name) => `Se ha eliminado a ${name}.`,
  alreadyGone: (name) => `Alguien ya había eliminado a ${name}.`,

  orphans: {
    title: (count) =>
      plural(count, {
        one: '# usuario tiene un rol que no existe',
        many: '# de usuarios tienen un rol que no existe',
        other: '# usuarios tienen un rol que no existe',
      }),
    lead: 'Su rol falta en config.yml, así que no ven nada. Vuelve a añadir el rol a config.yml o asigna otro a estos usuarios.',
    more: (count) => plural(count, { other: '# más' }),
    reassign: 'Reasignar…',
    reassignOf: (role) => `Reasignar los usuarios de ${role}`,
    reassignLead: (names) => `Elige un nuevo rol para ${names}. Se aplica de inmediato.`,
    chooseRole: 'Elige un rol.',
    reassignAct: 'Reasignar',
    reassigned: (count, role) =>
      plural(
        count,
        {
          one: '# usuario es ahora {role}.',
          many: '# de usuarios son ahora {role}.',
          other: '# usuarios son ahora {role}.',
        },
        { role },
      ),
  },
}
