// A link to the page may name a form, and values of its fields.

/** What the address that opened the page asks for: a form, and values of its fields. Reloading does not ask again. */
export function linked() {
  const values = Object.fromEntries(new URLSearchParams(location.search));
  const { form } = values;
  delete values.form;
  history.replaceState(null, "", location.pathname);
  return form && { form, values };
}
