import type { common as english } from '../en/common.ts'

export const common: typeof english = {
  name: 'Gatehouse',
  pageTitle: (page) => `${page} · Gatehouse`,
  label: (what) => `${what}：`,
  beside: (parts) => parts.join('，'),
  loading: '正在加载…',
  tryAgain: '重试',
  close: '关闭',
  cancel: '取消',
  skipToContent: '跳到主要内容',
  mainMenu: '主菜单',
}
