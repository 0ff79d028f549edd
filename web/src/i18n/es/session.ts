import type { Texts } from '../texts.ts'

export const login: Texts['login'] = {
  page: 'Iniciar sesión',
  title: 'Iniciar sesión',
  user: 'Nombre de usuario',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  userMissing: 'Escribe tu nombre de usuario.',
  passwordMissing: 'Escribe tu contraseña.',
  failed: 'El nombre de usuario o la contraseña no son correctos.',
  tooMany: 'Demasiados intentos fallidos.',
  tooManyWait: (time) => `Demasiados intentos fallidos. Puedes volver a intentarlo en ${time}.`,
  busy: 'Gatehouse está ocupado en este momento. Tu contraseña no se comprobó.',
  busyWait: (time) => `Gatehouse está ocupado en este momento. Vuelve a intentarlo en ${time}.`,
  network: 'No se puede conectar con Gatehouse. Revisa tu conexión y vuelve a intentarlo.',
  notKept:
    'La contraseña es correcta, pero este navegador no guardó el inicio de sesión. Permite las cookies de esta dirección o abre Gatehouse en su propia ventana.',
  mayTryAgain: 'Ya puedes volver a intentarlo.',
  forgot: '¿Olvidaste tu contraseña?',
  forgotBody:
    'Pide a tu administrador que establezca una nueva. Si lo administras tú, pon auth.reset_admin_password en true en config.yml y reinicia: el registro mostrará una contraseña nueva para admin.',
  ended: 'Tu sesión se cerró. Inicia sesión para seguir donde estabas.',
  proxyTitle: 'Tu proxy se encarga del inicio de sesión',
  proxyBody:
    'Este Gatehouse deja el inicio de sesión al proxy que tiene delante, así que aquí no hay contraseña. Abre Gatehouse desde la dirección del proxy o inicia sesión allí primero.',
  proxyAgain: 'Comprobar otra vez',
}

export const newPassword: Texts['newPassword'] = {
  page: 'Elige una contraseña nueva',
  title: 'Elige tu propia contraseña',
  lead: 'La que usaste para entrar está escrita en el registro. Para seguir, elige una que solo conozcas tú.',
  leadGiven:
    'La contraseña que usaste para entrar la eligió un administrador. Para seguir, elige una que solo conozcas tú.',
  submit: 'Guardar y seguir',
  given: 'Contraseña que recibiste',
  printed: 'Contraseña del registro',
}
