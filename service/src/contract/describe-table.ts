/** Lists names and their meanings in one text, for the description of a member. */
export const describeTable = (table: Readonly<Record<string, string>>) =>
  Object.entries(table)
    .map(([name, meaning]) => `${name}: ${meaning}`)
    .join(' ')
