import type { Texts } from '../texts.ts'

export const login: Texts['login'] = {
  page: '登录',
  title: '登录',
  user: '用户名',
  password: '密码',
  submit: '登录',
  userMissing: '请输入用户名。',
  passwordMissing: '请输入密码。',
  failed: '用户名或密码错误。',
  tooMany: '失败次数过多。',
  tooManyWait: (time) => `失败次数过多，请在 ${time}后重试。`,
  busy: 'Gatehouse 正忙，尚未验证密码。',
  busyWait: (time) => `Gatehouse 正忙，请在 ${time}后重试。`,
  network: '无法连接 Gatehouse，请检查网络连接后重试。',
  notKept: '密码正确，但此浏览器没有保留登录状态。请允许此地址使用 Cookie，或在单独的窗口中打开 Gatehouse。',
  mayTryAgain: '现在可以重试了。',
  forgot: '忘记密码？',
  forgotBody:
    '请让管理员设置新密码。如果本人就是管理员，请在 config.yml 中将 auth.reset_admin_password 设为 true 并重启：日志中会显示 admin 的新密码。',
  ended: '已退出登录。重新登录即可回到之前的页面。',
  proxyTitle: '由代理登录',
  proxyBody: '此 Gatehouse 由前面的代理负责登录，因此这里没有密码。请通过代理的地址打开 Gatehouse，或先在代理登录。',
  proxyAgain: '重新检查',
}

export const newPassword: Texts['newPassword'] = {
  page: '设置新密码',
  title: '设置自己的密码',
  lead: '刚才登录用的密码写在日志里。请设置一个只有自己知道的密码，然后继续。',
  leadGiven: '刚才登录用的密码是管理员设置的。请设置一个只有自己知道的密码，然后继续。',
  submit: '设置密码并继续',
  given: '收到的密码',
  printed: '日志中的密码',
}
