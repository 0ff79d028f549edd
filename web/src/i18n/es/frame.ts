import type { Texts } from '../texts.ts'

export const failure: Texts['failure'] = {
  title: 'Esto no funcionó',
  network: 'No se puede conectar con Gatehouse. Revisa tu conexión; esta página lo sigue intentando.',
  busy: 'Gatehouse está ocupado. Vuelve a intentarlo en un momento.',
  unavailable: 'Gatehouse no puede responder ahora. Vuelve a intentarlo en un momento.',
  unexpected: 'Algo salió mal. Si sigue pasando, avisa a tu administrador.',
  stale: 'Se perdió la conexión. Lo que ves puede ser antiguo; reintentando…',
  page: 'No se pudo cargar esta página. Quizá se haya actualizado Gatehouse.',
  reload: 'Recargar la página',
  elsewhere: 'Tu servicio de inicio de sesión devuelve esta página una y otra vez.',
  elsewhereGo: 'Continuar al inicio de sesión',
}

export const denied: Texts['denied'] = {
  title: 'Acceso denegado',
  body: 'Tu rol no incluye esta página. Si la necesitas, pídela a tu administrador.',
  home: 'Ir a la vista en vivo',
}

export const notFound: Texts['notFound'] = {
  title: 'Aquí no hay nada',
  body: 'No hay ninguna página en esta dirección.',
  home: 'Ir a la vista en vivo',
}

export const language: Texts['language'] = {
  label: 'Idioma',
  /** The browser's own language is followed. */
  auto: (name) => `Como el navegador (${name})`,
  failed: 'No se pudo cargar este idioma. Vuelve a intentarlo en un momento.',
}

export const offline: Texts['offline'] = {
  title: 'No se puede acceder a Gatehouse',
  body: 'Puede que esté apagado o arrancando, o que este dispositivo esté fuera de su red. Esta página lo vuelve a intentar sola.',
  again: 'Reintentar',
}
