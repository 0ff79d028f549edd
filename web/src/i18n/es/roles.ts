import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('es')

export const roles: AdminTexts['roles'] = {
  lead: 'Un rol define qué cámaras ve alguien. Cada usuario tiene uno.',
  add: 'Añadir rol',
  builtin: 'Integrados',
  builtinLead: 'Existen siempre y no se pueden cambiar.',
  custom: 'Tus roles',
  customLead: 'Ven en vivo las cámaras elegidas y lo que se graba de ellas, y no cambian nada.',
  noneTitle: 'Todavía no hay roles propios',
  none: 'Añade uno para quien deba ver algunas cámaras, pero no todas: el vecindario, un inquilino, la vigilancia.',
  search: 'Buscar roles',
  noMatch: 'Ningún rol coincide con lo que buscas.',
  admin: 'Puede hacerlo todo: ve todas las cámaras y gestiona usuarios, roles, cámaras y la configuración.',
  viewer: 'Ve todas las cámaras, también las que se añadan después. No cambia nada ni tiene ajustes.',
  users: (count) => plural(count, { '=0': 'Nadie', one: '# usuario', many: '# de usuarios', other: '# usuarios' }),
  more: (count) => plural(count, { other: '# más' }),
  missing: (name) => `${name} (no existe)`,
  missingHint:
    'No hay ninguna cámara con este nombre. No da acceso a nada hasta que la haya y un administrador lo permita aquí.',

  newTitle: 'Añadir un rol',
  name: 'Nombre',
  nameHint: 'Letras, cifras, punto y guion bajo, por ejemplo vecino. No se puede cambiar después.',
  nameMissing: 'Escribe un nombre.',
  nameTaken: (name) => `Ya hay un rol ${name}.`,
  chooseOne: 'Elige al menos una cámara. Sin ninguna no hay nada que ver; en ese caso, elimina el rol.',
  chooseOneNew: 'Elige al menos una cámara.',
  noCameras: 'Todavía no hay cámaras. Añade una primero y después elige quién la ve.',
  create: 'Añadir rol',
  created: (name) => `Se ha añadido el rol ${name}. Asígnalo a alguien en Usuarios.`,

  all: 'Todos los roles',
  goneTitle: 'No existe ese rol',
  gone: (name) => `No hay ningún rol ${name}. Quizá alguien lo eliminó.`,
  camerasTitle: 'Cámaras',
  camerasLead: 'Lo que ven los usuarios de este rol a partir de la siguiente solicitud.',
  searchCameras: 'Buscar cámaras',
  noCameraFits: 'Ninguna cámara coincide con lo que buscas.',
  chosen: (count, all) =>
    plural(count, { one: '# de {all} elegida', other: '# de {all} elegidas' }, { all: number(all) }),
  gains: (count, cameras) =>
    plural(
      count,
      {
        one: '# usuario empezará a ver {cameras}.',
        many: '# de usuarios empezarán a ver {cameras}.',
        other: '# usuarios empezarán a ver {cameras}.',
      },
      { cameras },
    ),
  loses: (count, cameras) =>
    plural(
      count,
      {
        one: '# usuario dejará de ver {cameras}; lo que tenga abierto se detiene al instante.',
        many: '# de usuarios dejarán de ver {cameras}; lo que tengan abierto se detiene al instante.',
        other: '# usuarios dejarán de ver {cameras}; lo que tengan abierto se detiene al instante.',
      },
      { cameras },
    ),
  save: 'Guardar',
  discard: 'Descartar',
  withheldTitle: 'Aún sin permiso',
  withheldBody: (cameras) =>
    `Este rol incluía ${cameras} antes de que se añadiera la cámara, así que sus usuarios no la ven. Da permiso si deben ver la nueva cámara.`,
  confirm: (cameras) => `Permitir ${cameras}`,
  confirmed: (role) => `${role} ya ve la cámara.`,
  saved: (name) => `Se ha cambiado el rol ${name}.`,
  changedTitle: 'Alguien cambió este rol mientras tanto',
  changedBody: (cameras) => `Ahora tiene ${cameras}. Puedes continuar desde ahí; tus propios cambios se perderán.`,
  takeOver: 'Mostrar lo vigente',

  usersTitle: 'Usuarios',
  usersLead: 'Quién tiene este rol.',
  noUsers: 'Nadie tiene este rol.',

  deleteTitle: 'Eliminar este rol',
  deleteLead: 'Sus usuarios pasan a ser viewer y ven todas las cámaras.',
  delete: 'Eliminar rol',
  deleteAsk: (name) => `¿Eliminar el rol ${name}?`,
  looking: 'Comprobando quién tiene este rol…',
  becomes: (count) =>
    plural(count, {
      one: 'Este usuario pasa a ser viewer:',
      many: 'Estos # de usuarios pasan a ser viewer:',
      other: 'Estos # usuarios pasan a ser viewer:',
    }),
  gainTitle: (count) =>
    plural(count, {
      one: 'Desde entonces verán también esta cámara:',
      other: 'Desde entonces verán también estas cámaras:',
    }),
  gainNothing: 'Ya ven todas las cámaras, y verán también las que se añadan después.',
  nobody: 'Nadie tiene este rol, así que nadie gana ni pierde cámaras.',
  instead: 'Si no deben verlas, dales antes otro rol.',
  proxyToo: 'Las personas a las que tu proxy da este rol lo pierden en su siguiente solicitud.',
  deleted: (name) => `Se ha eliminado el rol ${name}.`,
  deletedAnd: (name, users) => `Se ha eliminado el rol ${name}. Ahora son viewer: ${users}.`,
  alreadyGone: (name) => `Alguien ya había eliminado el rol ${name}.`,

  differences: {
    title: 'Los roles difieren entre instancias',
    lead: 'Las instancias que comparten esta base de datos tienen roles distintos en su config.yml, así que lo que ve un usuario depende de la instancia. Usa el mismo config.yml en todas.',
    instance: (name) => `Instancia ${name}`,
    'missing-here': (role) => `${role}: existe allí, pero no aquí`,
    'missing-there': (role) => `${role}: existe aquí, pero no allí`,
    'other-cameras': (role) => `${role}: allí tiene otras cámaras`,
  },
}
