/** The caller of the tutorial "read with a token". Knows both services by HTTP only. */
@NullMarked
package com.example.care;

import org.jspecify.annotations.NullMarked;
