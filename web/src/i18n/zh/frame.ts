import type { Texts } from '../texts.ts'

export const failure: Texts['failure'] = {
  title: '操作未成功',
  network: '无法连接 Gatehouse。请检查网络连接，此页面会继续尝试。',
  busy: 'Gatehouse 正忙，请稍后重试。',
  unavailable: 'Gatehouse 暂时无法响应，请稍后重试。',
  unexpected: '出了点问题。如果一直如此，请告知管理员。',
  stale: '连接已断开，显示的内容可能已过时；正在重试…',
  page: '无法加载此页面，Gatehouse 可能已更新。',
  reload: '重新加载页面',
  elsewhere: '登录服务一直要求先登录才能打开此页面。',
  elsewhereGo: '继续登录',
}

export const denied: Texts['denied'] = {
  title: '没有访问权限',
  body: '当前角色无权访问此页面。如有需要，请联系管理员。',
  home: '前往实时画面',
}

export const notFound: Texts['notFound'] = {
  title: '页面不存在',
  body: '此地址没有对应的页面。',
  home: '前往实时画面',
}

export const language: Texts['language'] = {
  label: '语言',
  auto: (name) => `跟随浏览器（${name}）`,
  failed: '无法加载该语言，请稍后重试。',
}

export const offline: Texts['offline'] = {
  title: '无法连接 Gatehouse',
  body: '它可能已关闭或正在启动，也可能是此设备不在它的网络中。此页面会自动重试。',
  again: '重试',
}
