// Names in the files of viewers. They come from files that anyone may have written. A part of the
// viewers' formats.
#pragma once

#include <string>
#include <string_view>

namespace hardclock::report {

// UTF-8 that shows as it is: what is no UTF-8 becomes U+FFFD, and '?' what controls terminals, the
// direction of text, or lines (C0, C1, U+2028, U+202A..., and U+FFFE and U+FFFF, which XML
// forbids).
std::string plain_text(std::string_view bytes);

// The same as a JSON string, with its quotes.
std::string json_text(std::string_view bytes);

// `text`, which has no line breaks, as a cell of CSV (RFC 4180). Spreadsheets compute a text that
// begins with = + - @, and names come from anyone: such a text has ' before it, as in
// https://owasp.org/www-community/attacks/CSV_Injection.
std::string csv_cell(std::string text);

// plain_text() as text or an attribute's value of HTML and XML.
std::string markup_text(std::string_view bytes);

// The same with at most `most` characters, the last of them an ellipsis if some are left out.
std::string shortened(std::string_view bytes, std::size_t most);

}  // namespace hardclock::report
