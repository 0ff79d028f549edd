/** The logo: a gatehouse with one watching eye. Hidden from screen readers, because the name is next to it. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-gate-7)" />
      <path
        fill="white"
        fillRule="evenodd"
        d="M7 25V7h4v2.6h3V7h4v2.6h3V7h4v18h-5v-4.6a4 4 0 0 0-8 0V25zm9-13.2a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8z"
      />
    </svg>
  )
}
