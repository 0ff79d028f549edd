import type { Texts } from '../texts.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('es')

export const password: Texts['password'] = {
  title: 'Contraseña',
  lead: 'Al cambiarla se cierran tus demás sesiones.',
  current: 'Contraseña actual',
  next: 'Contraseña nueva',
  submit: 'Cambiar contraseña',
  changed: 'Contraseña cambiada. Se han cerrado todas tus demás sesiones.',
  wrong: 'Esta no es tu contraseña actual.',
  missing: 'Escribe tu contraseña actual.',
  byProxy: 'Tu proxy se encarga del inicio de sesión, así que tu contraseña se guarda allí.',
  inside: 'En este puerto nadie inicia sesión, así que no hay contraseña que cambiar.',
  advice: {
    empty: 'Al menos 12 caracteres. Tres o cuatro palabras sin relación entre sí son seguras y fáciles de recordar.',
    short: (missing) =>
      plural(missing, { one: 'Falta # carácter.', many: 'Faltan # de caracteres.', other: 'Faltan # caracteres.' }),
    long: 'Demasiado larga: como máximo 1024 bytes.',
    userName: 'No puede ser tu nombre de usuario.',
    containsName: 'Contiene tu nombre de usuario, y eso la hace más fácil de adivinar.',
    repeated: 'Se repite: así, que sea larga no ayuda.',
    sequence: 'Las teclas o letras seguidas son de lo primero que se prueba.',
    fine: 'Es bastante larga. Si nadie que te conozca puede adivinarla, es buena.',
    good: 'Buena: larga y difícil de adivinar.',
    control: 'Contiene un carácter que no se puede escribir con el teclado, como un tabulador o un salto de línea.',
  },
}

export const account: Texts['account'] = {
  page: 'Cuenta',
  menu: (name, role) => `Cuenta: ${name} ${role}`,
  role: 'Rol',
  open: 'Cuenta',
  appearance: 'Apariencia',
  appearanceLead: 'Se guarda en este navegador.',
  theme: 'Tema',
  light: 'Claro',
  dark: 'Oscuro',
  auto: 'Sistema',
  signOut: 'Cerrar sesión',
  signOutFailed: 'No se pudo cerrar la sesión.',
  cameras: (count) => plural(count, { one: '# cámara', many: '# de cámaras', other: '# cámaras' }),
  byProxy: 'Sesión iniciada por tu proxy',
  byNobody: 'En este puerto nadie inicia sesión; aquí todo el mundo es administrador',
}

export const sessions: Texts['sessions'] = {
  title: 'Tus sesiones',
  lead: 'Cada navegador o programa que usó tu contraseña. Cierra las sesiones que no reconozcas y después cambia la contraseña.',
  current: 'Esta sesión',
  seen: (when) => `activa ${when}`,
  since: (when) => `iniciada el ${when}`,
  end: 'Cerrar',
  endOf: (device, when) => `Cerrar la sesión en ${device}, activa ${when}`,
  endOthers: 'Cerrar las demás sesiones',
  ended: 'Sesión cerrada.',
  othersEnded: 'Se han cerrado todas tus demás sesiones.',
  endOthersTitle: '¿Cerrar las demás sesiones?',
  endOthersBody:
    'Se cerrará la sesión en todos los demás navegadores y programas al instante, y lo que muestren se detendrá. Aquí tu sesión sigue abierta.',
  unknownDevice: 'Dispositivo desconocido',
  device: (browser, system) => `${browser} en ${system}`,
  program: (name) => `Programa: ${name}`,
}
